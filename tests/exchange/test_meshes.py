"""Meshes of files on segments, and the ellipsoids and hyperellipsoids that are fitted to them."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.engine.maths.rotation import from_angles
from solver.exchange.shapes import MeshError, fit, read_mesh
from solver.project import ProjectError, to_json
from solver.project.merging import prefixed
from solver.project.segments import SegmentMesh, Triangles, pack, unpack
from tests.exploring import SEED
from tests.rows import rows


def ball(count: int = 24) -> Triangles:
    """Give a closed mesh of the unit sphere."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * count, False), np.linspace(0, np.pi, count + 1)[1:-1])  # fmt: skip
    ring = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1).reshape(
        -1, 3
    )
    n, rows = 2 * count, count - 1
    i = np.arange(n)
    j = (i + 1) % n
    faces = [np.stack([np.full(n, rows * n), i, j], 1), np.stack([np.full(n, rows * n + 1), (rows - 1) * n + j, (rows - 1) * n + i], 1)]  # fmt: skip
    for row in range(rows - 1):
        a, b = row * n + i, row * n + j
        faces += [np.stack([a, a + n, b], 1), np.stack([b, a + n, b + n], 1)]
    return Triangles(np.vstack([ring, [[0, 0, 1]], [[0, 0, -1]]]), np.concatenate(faces))


AXES, CENTRE = np.array([0.09, 0.14, 0.21]), np.array([0.3, -0.2, 0.1])
TURN = from_angles((0.4, -0.3, 0.2), "zyx")


def ellipsoid(count: int = 24, powers: tuple[float, ...] = (2.0, 2.0, 2.0)) -> Triangles:
    unit, faces = ball(count)
    n = np.array(powers)
    unit = np.sign(unit) * np.abs(unit) ** (2.0 / n)
    return Triangles((unit * AXES) @ TURN.T + CENTRE, faces)


def stl(mesh: Triangles) -> bytes:
    corners = mesh.points[mesh.faces]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *map(float, c.ravel()), 0) for c in corners)
    return b"\0" * 80 + struct.pack("<I", len(corners)) + rows


def obj(mesh: Triangles) -> bytes:
    lines = ["mtllib ../secret.mtl", "usemtl skin"]
    lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.points]
    return "\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces]).encode()


def gltf(mesh: Triangles, uri: str = "") -> bytes:
    data = mesh.points.astype("<f4").tobytes() + mesh.faces.astype("<u4").tobytes()
    size = 12 * len(mesh.points)
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0.0, 0.0, 0.5]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": uri or f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"}],
        "bufferViews": [{"buffer": 0, "byteLength": size}, {"buffer": 0, "byteOffset": size, "byteLength": len(data) - size}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(mesh.points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(mesh.faces), "type": "SCALAR"},
        ],
    }).encode()  # fmt: skip


def binary(mesh: Triangles) -> bytes:
    """Give the same with the numbers behind it."""
    told = json.loads(gltf(mesh))
    data = base64.b64decode(told["buffers"][0].pop("uri").partition(",")[2])
    return glb(json.dumps(told).encode(), data)


@pytest.mark.parametrize("kind", ["stl", "obj", "gltf", "glb"])
def test_every_kind_of_file_gives_its_triangles_once(kind: str, tmp_path: Path) -> None:
    mesh, file = ellipsoid(8), tmp_path / f"bone.{kind}"
    file.write_bytes({"stl": stl, "obj": obj, "gltf": gltf, "glb": binary}[kind](mesh))
    before = file.read_bytes()
    found = read_mesh(file, "mm")
    by = np.array([0.0, 0.0, 0.5]) if "gl" in kind else np.zeros(3)
    assert len(found.points) == len(mesh.points)
    assert len(found.faces) == len(mesh.faces)
    here, there = (np.sort(p.view(), axis=0) for p in (found.points, 1e-3 * (mesh.points + by)))
    assert np.abs(here - there).max() < 1e-9
    assert file.read_bytes() == before


def test_no_other_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "outside.bin").write_bytes(b"\0" * 10_000)
    for uri in ("outside.bin", "../outside.bin", (tmp_path / "outside.bin").as_uri()):
        file = tmp_path / "bone.gltf"
        file.write_bytes(gltf(ellipsoid(6), uri))
        with pytest.raises(MeshError, match="cannot be read as a mesh"):
            read_mesh(file)


def test_an_ellipsoid_is_found_from_its_points() -> None:
    found = fit(ellipsoid())
    assert found.semi_axes == pytest.approx(AXES, rel=1e-9)
    assert np.abs(found.centre - CENTRE).max() < 1e-9
    assert np.abs(found.R - TURN).max() < 1e-8
    assert found.worst_m < 1e-9


def test_an_ellipsoid_by_inertia_has_the_volume_and_moments_of_the_mesh() -> None:
    """A fine mesh holds 4/3 pi abc and (b2 + c2)/5 of it; a coarse one less, by its chords."""
    found = fit(ellipsoid(48), by="inertia")
    assert found.volume_m3 == pytest.approx(4.0 / 3.0 * np.pi * AXES.prod(), rel=4e-3)
    assert found.semi_axes == pytest.approx(AXES, rel=2e-3)
    assert np.abs(found.R - TURN).max() < 1e-3
    with pytest.raises(MeshError, match="12 points or more"):
        fit(ball(2), by="inertia")
    with pytest.raises(MeshError, match="only an ellipsoid"):
        fit(ball(), "hyperellipsoid", by="inertia")


@pytest.mark.parametrize("powers", [(3.0, 3.0, 3.0), (2.5, 4.0, 6.0), (8.0, 8.0, 8.0)])
def test_a_hyperellipsoid_is_found_with_its_powers(powers: tuple[float, ...]) -> None:
    mesh = ellipsoid(12, powers)
    found = fit(mesh, "hyperellipsoid")
    assert found.semi_axes == pytest.approx(AXES, rel=1e-5)
    assert found.powers == pytest.approx(powers, rel=1e-4)
    assert found.worst_m < 1e-6
    assert fit(mesh).rms_m > 100.0 * found.rms_m


def test_noise_and_openness_are_borne() -> None:
    mesh, rng = ellipsoid(), np.random.default_rng(5)
    rough = Triangles(mesh.points + rng.normal(0, 1e-3, mesh.points.shape), mesh.faces)
    assert fit(rough).semi_axes == pytest.approx(AXES, abs=1e-3)
    half = Triangles(mesh.points, mesh.faces[mesh.points[mesh.faces][:, :, 0].min(axis=1) > CENTRE[0] - 0.03])  # fmt: skip
    assert fit(half).semi_axes == pytest.approx(AXES, rel=1e-6)
    with pytest.raises(MeshError, match="not closed"):
        fit(half, by="inertia")
    flat = Triangles(mesh.points * (1.0, 1.0, 0.0), mesh.faces)
    with pytest.raises(MeshError, match="flat"):
        fit(flat)


def test_a_point_counts_by_its_area() -> None:
    """The areas of points are those of the whole mesh, whatever triangles they are cut into."""
    from solver.exchange.shapes.fitting import _points

    mesh = ellipsoid()
    corners = mesh.points[mesh.faces]
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)  # fmt: skip
    assert _points(mesh)[1].sum() == pytest.approx(area.sum(), rel=1e-12)


def test_a_mesh_goes_onto_a_segment_and_gets_a_surface(tmp_path: Path) -> None:
    file = tmp_path / "my bone.stl"
    file.write_bytes(stl(ellipsoid()))
    model = mk.new("x").add_segment("arm", mass_kg=2.0, inertia_kgm2=(0.1, 0.1, 0.1))
    frame = {"position_m": (0.0, 1.0, 0.0), "orientation": {"angles_rad": (0.5, 0.0, 0.0)}}
    model = model.add_mesh("bone", segment="arm", file=file, frame=frame)
    file.unlink()
    model.save(tmp_path / "p.json")
    again = mk.load(tmp_path / "p.json")
    assert again == model
    assert again.project.meshes[0].source == "my bone.stl"
    fitted = again.fit_surface("bone")
    surface = fitted.value("segments/arm/surfaces/bone")
    R = from_angles((0.5, 0.0, 0.0), "zyx")
    assert surface.semi_axes_m == pytest.approx(AXES, rel=1e-6)
    assert np.array(surface.centre_m) == pytest.approx((0, 1, 0) + R @ CENTRE, abs=1e-7)
    assert from_angles(surface.orientation.angles_rad, "zyx") == pytest.approx(R @ TURN, abs=1e-6)
    assert not [one for one in fitted.problems if one.severity == "error"]
    assert prefixed(fitted.project, "a").meshes[0].segment == "a_arm"
    with pytest.raises(MeshError, match="no mesh 'bon'"):
        again.fit_surface("bon")


def test_a_packed_mesh_that_is_damaged_is_said() -> None:
    good = pack(*ball(4))
    assert np.abs(unpack(good).points - ball(4).points).max() < 1e-7  # type: ignore[union-attr]
    head = np.array([1, 1], "<u4").tobytes()
    bomb = base64.b64encode(zlib.compress(b"\0" * 50_000_000, 9)).decode()
    far = base64.b64encode(zlib.compress(head + b"\0" * 12 + np.array([0, 0, 9], "<u4").tobytes())).decode()  # fmt: skip
    for bad in ("", "a", good[:-9], good[4:], bomb, far):
        assert unpack(bad) is None
    model = mk.new("x")._with(mk.new("x").project.model_copy(update={"meshes": (SegmentMesh(id="m", packed=bomb),)}))  # fmt: skip
    assert [one.code for one in model.problems if one.severity == "error"] == ["mesh-packed"]
    assert len(to_json(model.project)) < 200_000
    with pytest.raises(ProjectError):
        model.checked()


def glb(told: bytes, data: bytes = b"") -> bytes:
    """Give a glTF as one binary file."""
    text = told + b" " * (-len(told) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(data), b"BIN\0") + data if data else b""
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def test_a_scene_is_put_together_as_another_reader_does(tmp_path: Path) -> None:
    """Nodes below nodes, turned, stretched and mirrored, a mesh shown twice; compared with trimesh."""
    import trimesh

    rng = np.random.default_rng(7)
    scene = trimesh.Scene()
    above = "world"
    for n in range(6):
        one = trimesh.creation.box(extents=rng.uniform(0.1, 1.0, 3))
        turned = trimesh.transformations.random_rotation_matrix(rng.random(3))
        turned[:3, :3] *= rng.uniform(0.5, 2.0, 3) * (1.0, 1.0, -1.0 if n == 3 else 1.0)
        turned[:3, 3] = rng.normal(size=3)
        scene.add_geometry(one, node_name=f"n{n}", parent_node_name=above, transform=turned)
        above = f"n{n}" if n % 2 else above
    scene.graph.update(frame_to="again", frame_from="n2", geometry="geometry_0", matrix=np.eye(4))
    file = tmp_path / "scene.glb"
    file.write_bytes(scene.export(file_type="glb"))
    theirs, ours = trimesh.load_scene(file).to_mesh(), read_mesh(file)
    mesh = trimesh.Trimesh(*ours, process=False)
    assert len(ours.faces) == len(theirs.faces) == 7 * 12
    assert mesh.area == pytest.approx(theirs.area, rel=1e-5)
    assert mesh.volume == pytest.approx(theirs.volume, rel=1e-5)
    assert mesh.bounds == pytest.approx(theirs.bounds, abs=1e-5)


@pytest.mark.parametrize(
    "what", ["zeros", "shared", "often", "circle", "sparse", "beyond", "before", "stride", "draco"]
)
def test_what_asks_for_more_than_it_holds_is_refused_before(what: str, tmp_path: Path) -> None:
    """In 611 bytes 2e8 points were asked for, and room was made for them."""
    told = json.loads(gltf(ball(3)))
    first, second = told["accessors"]
    match what:
        case "zeros":
            told["accessors"] = [
                {k: v for k, v in first.items() if k != "bufferView"} | {"count": 2 * 10**8},
                second,
            ]
        case "shared":
            told["nodes"] = [{"mesh": 0, "children": [1, 1]}, {"mesh": 0}]
        case "often":
            told["nodes"] = [
                {"children": list(range(1, 60_000))},
                *({"mesh": 0} for _ in range(59_999)),
            ]
        case "circle":
            told["nodes"] = [{"mesh": 0, "children": [1]}, {"children": [0]}]
        case "sparse":
            first["sparse"] = {
                "count": 10**9,
                "indices": {"bufferView": 1, "componentType": 5125},
                "values": {"bufferView": 0},
            }
        case "beyond":
            second["byteOffset"] = -8
        case "before":
            told["bufferViews"][0]["byteOffset"], first["byteOffset"] = 12, -12
        case "stride":
            told["bufferViews"][0]["byteStride"] = 1
        case _:
            told["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    for kind in ("gltf", "glb"):
        file = tmp_path / f"a.{kind}"
        text = json.dumps(told).encode()
        file.write_bytes(glb(text) if kind == "glb" else text)
        with pytest.raises(MeshError, match="cannot be read as a mesh"):
            read_mesh(file)


def test_many_nodes_take_time_by_their_number(tmp_path: Path) -> None:
    """A chain of nodes, each below the last, is read once along it."""
    told, many = json.loads(gltf(Triangles(np.eye(3), np.array([[0, 1, 2]])))), 3000
    told["nodes"] = [
        {"mesh": 0, "translation": [1.0, 0.0, 0.0], "children": [n + 1]} for n in range(many)
    ]
    told["nodes"][-1].pop("children")
    file = tmp_path / "chain.gltf"
    file.write_text(json.dumps(told))
    found = read_mesh(file)
    assert len(found.faces) == many
    assert found.points[:, 0].max() == pytest.approx(many + 1.0)


@pytest.mark.parametrize(
    ("kind", "line"), [("obj", b"v 0 0 0\n"), ("obj", b"f 1 2 3\n"), ("obj", b"1 2 3 ")]
)
def test_points_and_triangles_are_counted_before_they_are_read(
    kind: str, line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.exchange.shapes.reading.MOST_FACES", 100)
    head = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3" + (b" " if line[:1] == b"1" else b"\n")
    file = tmp_path / f"a.{kind}"
    file.write_bytes(head + line * 1000)
    with pytest.raises(MeshError, match="more than 100 triangles"):
        read_mesh(file)


def test_a_place_far_beyond_all_is_refused(tmp_path: Path) -> None:
    mesh, file = ball(3), tmp_path / "far.obj"
    mesh.points[0] = 1e300
    file.write_bytes(obj(mesh))
    with pytest.raises(MeshError, match="finite places"):
        read_mesh(file)


@rows("seed", range(40))
def test_a_damaged_file_gives_a_sentence(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{SEED} mesh {seed}")
    kind = rng.choice(["stl", "obj", "gltf", "glb"])
    data = bytearray({"stl": stl, "obj": obj, "gltf": gltf, "glb": binary}[kind](ball(3)))
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 9)] = rng.randbytes(rng.randint(0, 9))
    file = tmp_path / f"x.{kind}"
    file.write_bytes(bytes(data))
    try:
        said = repr(read_mesh(file))
    except MeshError as failure:
        said = str(failure)
    assert said
