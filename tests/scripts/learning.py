"""An environment in which something may learn to hold the lower rod of a pendulum."""

import numpy as np

import manikin as mk


def lighter(model: mk.Model, random: np.random.Generator) -> mk.Model:
    return model.with_value("segments/lower/mass_kg", random.uniform(0.5, 1.0))


env = mk.environment(
    mk.sample("double_pendulum").until(0.2),
    actions={"segments/lower/torque/y": (-2.0, 2.0)},
    observations={"angle": "joints/elbow/angle", "rate": "joints/elbow/rate"},
    reward="-angle^2",
    vary=lighter,
)
total = 0.0
observation, info = env.reset(seed=3)
done = False
while not done:
    action = np.clip(-0.5 * observation[1:], -1.0, 1.0)
    observation, reward, terminated, truncated, info = env.step(action)
    total += float(reward)
    done = terminated or truncated
print(f"{total:.3f} until {1e3 * info['time']:.0f} ms")
