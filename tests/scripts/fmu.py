"""A model is written as an FMU, and takes its place beside another model: two pendulums push each other."""

import manikin as mk

force, place = "segments/lower/force/x", "segments/lower/position/x"
model = mk.sample("double_pendulum").until(0.05)
file = mk.write_fmu(model, "pendulum.fmu", inputs=[force], outputs=[place], every=1e-3)

sim = mk.Simulation(model)
try:
    with mk.couple(
        sim,
        file,
        inputs={force: place},
        outputs={place: force},
        every=1e-3,
    ) as coupled:
        run: mk.Run = coupled.step_to_end()
except mk.FmuError as refusal:
    raise SystemExit(str(refusal)) from None
print(f"{run[place].value[-1]:.6f} m at {1e3 * coupled.time:.0f} ms")
