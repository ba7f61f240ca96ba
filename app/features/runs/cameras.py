"""Commands of the camera of a run: what it goes with, and keys along the run that are cut or glided to."""

from __future__ import annotations

from app.command import Command
from app.elements import element_label
from app.run_view.cameras import FILE, CameraKey, Cameras, put_onboard
from app.run_view.run_store import RunStore
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project.segments import GROUND

MENU = (
    "run.ride", "run.follow", "run.onboard", "", "run.key_camera", "run.glide_camera", "run.unkey_camera",
    "run.next_camera", "run.keyed_camera", "", "view.views_two", "view.views_four", "view.fit",
)  # fmt: skip
"""What the button *Camera* below a run offers."""


class CameraCommands:
    """Key cameras of the project that is open, and keep them beside its runs."""

    def __init__(self, bench: Workbench) -> None:
        self._bench, self._path = bench, bench.document.path
        bench.document.opened.connect(self._on_opened)
        bench.document.named.connect(self._on_named)
        self._add()

    def follow(self, turns_too: bool) -> None:
        """Let the camera go with the selected segment, level or as it turns; once more, or with nothing selected, it stands on the ground."""
        run_view, name = self._bench.run_view, self._segment()
        if run_view.replay is None:
            return
        before = run_view.replay.rider, run_view.replay.turns_too
        rider = GROUND if before == (name, turns_too) else name
        run_view.switch(True)
        run_view.ride(rider, turns_too)
        called = element_label(self._bench.document.project, f"segments/{rider}")
        self._bench.say(
            tr("The camera goes with {name}.", name=called)
            if rider != GROUND
            else tr("The camera stands on the ground.")
        )

    def go_onboard(self) -> None:
        """Look from the selected segment along its x axis, and go with it."""
        run_view, name, view = self._bench.run_view, self._segment(), self._bench.viewport
        if run_view.replay is None or name == GROUND:
            return
        run_view.switch(True)
        run_view.ride(name, True)
        put_onboard(view.camera(), run_view.replay.motion.start()[name])
        view.is_own = True
        run_view.player.go(run_view.player.time)
        called = element_label(self._bench.document.project, f"segments/{name}")
        self._bench.say(tr("Seen from {name}, along its x axis.", name=called))

    def key(self) -> None:
        """Key the camera as it is at the instant that is shown."""
        run_view, camera = self._bench.run_view, self._bench.viewport.camera()
        if run_view.replay is None or camera is None:
            return
        run_view.switch(True)
        t, replay = run_view.player.time, run_view.replay
        key = CameraKey.of(camera, t, replay.rider, replay.turns_too)
        self._have(run_view.cameras.with_key(key), is_on=True)
        words = tr("The camera is keyed at {ms:.1f} ms; cameras before it are cut to it, or glide.", ms=1e3 * t)  # fmt: skip
        self._bench.say(words)

    def unkey(self) -> None:
        """Take the key at the instant that is shown, or the last before it, away."""
        key = self._here()
        if key is not None:
            self._have(self._bench.run_view.cameras.without(key))
            self._bench.say(tr("The key at {ms:.1f} ms is gone.", ms=1e3 * key.time_s))

    def glide(self) -> None:
        """Let the camera glide from this key to the next, or cut."""
        run_view = self._bench.run_view
        self._have(run_view.cameras.toggled(run_view.player.time))
        self._bench.say(
            tr("The camera glides to the next key.")
            if self._glides()
            else tr("The camera cuts to the next key.")
        )

    def next(self) -> None:
        """Go to the next key; after the last to the first."""
        run_view = self._bench.run_view
        key = run_view.cameras.after(run_view.player.time) or next(iter(run_view.cameras.keys), None)  # fmt: skip
        if key is not None:
            run_view.go(key.time_s)

    def toggle(self) -> None:
        """Look through the keyed cameras, or from where one looks oneself."""
        self._bench.run_view.set_cameras(self._bench.run_view.cameras, not self._is_keyed())
        self._bench.commands.refresh()

    def _have(self, cameras: Cameras, is_on: bool | None = None) -> None:
        self._bench.run_view.set_cameras(cameras, self._is_keyed() if is_on is None else is_on)
        self._keep()
        self._bench.commands.refresh()

    def _here(self) -> CameraKey | None:
        return self._bench.run_view.cameras.before(self._bench.run_view.player.time)

    def _is_keyed(self) -> bool:
        return self._bench.run_view.is_keyed

    def _glides(self) -> bool:
        key = self._here()
        return key is not None and key.glides

    def _segment(self) -> str:
        """The selected segment of the run; the ground without one."""
        replay = self._bench.run_view.replay
        kind, _, name = self._bench.document.selection.partition("/")
        is_there = replay is not None and kind == "segments" and name in replay.motion.names
        return name if is_there else GROUND

    def _keep(self) -> None:
        """Write the keys beside the runs of a project that has a file; those of others go with the window."""
        path = self._bench.document.path
        if path is not None:
            self._bench.run_view.cameras.write(RunStore(path).folder / FILE)

    def _on_opened(self) -> None:
        self._path = path = self._bench.document.path
        cameras = Cameras() if path is None else Cameras.read(RunStore(path).folder / FILE)
        self._bench.run_view.set_cameras(cameras, bool(cameras.keys))

    def _on_named(self) -> None:
        """Under another name the keys stand there too."""
        path = self._bench.document.path
        if path is not None and path != self._path:
            self._path = path
            self._keep()

    def _add(self) -> None:
        bench = self._bench

        def plays() -> bool:
            return bench.has_project() and bench.run_view.replay is not None

        def has_keys() -> bool:
            return plays() and bool(bench.run_view.cameras.keys)

        def has_segment() -> bool:
            return plays() and self._segment() != GROUND

        rows = (
            ("follow", msgid("Camera moves along &level"), msgid("Let the camera move with the selected segment without turning with it; you can turn it freely."), lambda: self.follow(False), "Alt+C", plays, None),
            ("onboard", msgid("Camera &on the selected segment"), msgid("Look from the selected segment along its x axis, and go with it as it turns."), self.go_onboard, "", has_segment, None),
            ("key_camera", msgid("&Key the camera here"), msgid("Look from here from this instant of the run on, until the next key."), self.key, "Alt+K", plays, None),
            ("glide_camera", msgid("&Glide to the next key"), msgid("Let the camera glide from the last key to the next one; else it cuts."), self.glide, "", has_keys, self._glides),
            ("unkey_camera", msgid("&Take the key away"), msgid("Take the key at this instant, or the last before it, away."), self.unkey, "Alt+Shift+K", has_keys, None),
            ("next_camera", msgid("To the &next key"), msgid("Go to the instant of the next keyed camera."), self.next, "", has_keys, None),
            ("keyed_camera", msgid("Look through &keyed cameras"), msgid("Let the keyed cameras be looked through as the run plays, or look from where you want."), self.toggle, "", has_keys, self._is_keyed),
        )  # fmt: skip
        bench.commands.add(
            *(
                Command(f"run.{name}", tr(title), tr(tip), do, key, enabled, is_on, "camera")
                for name, title, tip, do, key, enabled, is_on in rows
            )
        )
