"use strict";
// Plays a run: the scene by WebGL, curves by canvas, one slider for both. The data stand in the page.
const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words;
const byId = (id) => document.getElementById(id);
const raw = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
const floats = (text) => new Float32Array(raw(text));
const whole = (text) => new Uint16Array(raw(text));

const times = floats(data.times), last = times.length - 1;
const state = { time: times[0], playing: false, speed: data.speed, held: 0, mark: -1 };

function between(time) {
  let low = 0, high = last;
  while (high - low > 1) { const middle = (low + high) >> 1; if (times[middle] <= time) low = middle; else high = middle; }
  const span = times[high] - times[low];
  return [low, high, span > 0 ? Math.min(Math.max((time - times[low]) / span, 0), 1) : 0];
}

// --- the scene

const add = (a, b, f = 1) => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const size = Math.hypot(...a) || 1; return [a[0] / size, a[1] / size, a[2] / size]; };

const [yaw, pitch] = data.best || [0.75, 0.22];
const camera = { yaw, pitch, far: data.size * 2.24, at: data.middle.slice() };
const home = { ...camera, at: camera.at.slice() };

// keyed cameras: rows between which one goes on evenly; a cut has two rows at one instant
const keyed = data.keyed && Object.fromEntries(Object.entries(data.keyed).map(([name, one]) => [name, typeof one === "string" ? floats(one) : one]));
let through = Boolean(keyed);
function looked() {
  if (!through) return camera;
  const rows = keyed.times, count = rows.length;
  let i = 0, high = count - 1;
  while (high - i > 1) { const middle = (i + high) >> 1; if (rows[middle] <= state.time + 1e-9) i = middle; else high = middle; }
  const j = Math.min(i + 1, count - 1), span = rows[j] - rows[i], w = span > 0 ? Math.min(Math.max((state.time - rows[i]) / span, 0), 1) : 0;
  const mix = (name, n, k) => (1 - w) * keyed[name][n * i + k] + w * keyed[name][n * j + k], three = (name, n, k) => [0, 1, 2].map((m) => mix(name, n, k + m));
  const back = unit(three("axes", 9, 6)), right = unit(cross(three("axes", 9, 3), back));
  return { at: three("targets", 3, 0), far: mix("distances", 1, 0), flat: keyed.parallel[w < 1 ? i : j] === 1, axes: [right, cross(back, right), back] };
}
// a hand takes the camera from where it is
function take() {
  if (!through) return;
  const now = looked(), back = now.axes[2], side = cross(data.ahead, data.up);
  Object.assign(camera, { at: now.at, far: now.far, pitch: Math.asin(Math.min(Math.max(dot(back, data.up), -1), 1)), yaw: Math.atan2(dot(back, data.ahead), dot(back, side)) });
  through = false; byId("view").selectedIndex = -1;
}

function axes() {
  if (through) return looked().axes;
  const ahead = data.ahead, up = data.up, side = cross(ahead, up);
  const flat = add([0, 0, 0].map((_, k) => Math.cos(camera.yaw) * side[k]), ahead, Math.sin(camera.yaw));
  const back = add([0, 1, 2].map((k) => Math.cos(camera.pitch) * flat[k]), up, Math.sin(camera.pitch));
  const right = unit(cross(up, back));
  return [right, cross(back, right), back];
}

function matrix(wide, high) {
  const now = looked(), [right, up, back] = axes(), eye = add(now.at, back, now.far);
  const f = 1 / Math.tan(data.half_angle), near = now.far * 0.02, far = now.far * 20, a = (far + near) / (near - far), b = 2 * far * near / (near - far);
  if (now.flat) {
    const g = f / now.far, gx = g * high / wide, deep = 1 / far;
    return [new Float32Array([
      gx * right[0], g * up[0], -deep * back[0], 0, gx * right[1], g * up[1], -deep * back[1], 0,
      gx * right[2], g * up[2], -deep * back[2], 0, -gx * dot(right, now.at), -g * dot(up, now.at), deep * dot(back, now.at), 1]), eye];
  }
  const sx = f * high / wide, x = -dot(right, eye), y = -dot(up, eye), z = -dot(back, eye);
  return [new Float32Array([
    sx * right[0], f * up[0], a * back[0], -back[0], sx * right[1], f * up[1], a * back[1], -back[1],
    sx * right[2], f * up[2], a * back[2], -back[2], sx * x, f * y, a * z + b, -z]), eye];
}

const VERTEX = `attribute vec3 at, normal, colour, bone, share; uniform vec4 rows[ROWS]; uniform mat4 view;
varying vec3 n, c, p;
void main() { vec3 q = vec3(0.0), m = vec3(0.0);
  for (int k = 0; k < 3; k++) { int i = 3 * int(bone[k] + 0.5); float s = share[k];
    q += s * vec3(dot(rows[i], vec4(at, 1.0)), dot(rows[i + 1], vec4(at, 1.0)), dot(rows[i + 2], vec4(at, 1.0)));
    m += s * vec3(dot(rows[i].xyz, normal), dot(rows[i + 1].xyz, normal), dot(rows[i + 2].xyz, normal)); }
  p = q; n = m; c = colour; gl_Position = view * vec4(q, 1.0); }`;
const FRAGMENT = `precision mediump float; varying vec3 n, c, p; uniform vec3 eye, up, light; uniform float opacity;
void main() { vec3 m = normalize(n), to = normalize(eye - p); if (dot(m, to) < 0.0) m = -m;
  float sky = 0.5 + 0.5 * dot(m, up), sun = max(dot(m, light), 0.0), shine = pow(max(dot(m, normalize(light + to)), 0.0), 24.0);
  gl_FragColor = vec4(c * (0.34 + 0.26 * sky + 0.5 * sun) + 0.06 * shine, opacity); }`;

function scene(canvas) {
  const gl = canvas.getContext("webgl", { antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const most = Math.max(1, ...data.meshes.map((one) => one.bones));
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX.replace("ROWS", String(3 * most))], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text); gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program); gl.useProgram(program);
  const place = (name) => gl.getUniformLocation(program, name);
  const at = Object.fromEntries(["rows", "view", "eye", "up", "light", "opacity"].map((name) => [name, place(name)]));
  const buffer = (values, kind = gl.ARRAY_BUFFER, use = gl.STATIC_DRAW) => {
    const made = gl.createBuffer(); gl.bindBuffer(kind, made); gl.bufferData(kind, values, use); return made;
  };
  const bind = (name, value) => {
    const where = gl.getAttribLocation(program, name);
    if (value instanceof Array) { gl.disableVertexAttribArray(where); gl.vertexAttrib3f(where, ...value); return; }
    gl.bindBuffer(gl.ARRAY_BUFFER, value); gl.enableVertexAttribArray(where); gl.vertexAttribPointer(where, 3, gl.FLOAT, false, 0, 0);
  };
  const meshes = data.meshes.map((one) => ({
    ...one, count: whole(one.faces).length, moves: floats(one.moves), at: buffer(floats(one.points)), normal: buffer(floats(one.normals)),
    colour: one.colours ? buffer(floats(one.colours)) : one.tone, bone: one.owners ? buffer(floats(one.owners)) : [0, 0, 0],
    share: one.shares ? buffer(floats(one.shares)) : [1, 0, 0], faces: buffer(whole(one.faces), gl.ELEMENT_ARRAY_BUFFER),
    phases: one.phases && { rows: one.phases.rows, points: floats(one.phases.points), normals: floats(one.phases.normals), drawn: -1 },
  }));
  // between two forms at some frames one goes on evenly
  function bend(one) {
    const { rows, points, normals } = one.phases;
    if (one.phases.drawn === state.time) return;
    one.phases.drawn = state.time;
    let k = 0; while (k < rows.length - 2 && times[rows[k + 1]] <= state.time) k++;
    const from = times[rows[k]], w = Math.min(Math.max((state.time - from) / (times[rows[k + 1]] - from), 0), 1), size = points.length / rows.length;
    for (const [values, made] of [[points, one.at], [normals, one.normal]]) {
      const now = new Float32Array(size);
      for (let n = 0; n < size; n++) now[n] = (1 - w) * values[k * size + n] + w * values[(k + 1) * size + n];
      gl.bindBuffer(gl.ARRAY_BUFFER, made); gl.bufferData(gl.ARRAY_BUFFER, now, gl.DYNAMIC_DRAW);
    }
  }
  const strips = data.strips.map((one) => ({ ...one, edges: floats(one.edges), at: gl.createBuffer(), normal: gl.createBuffer() }));
  const identity = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  gl.enable(gl.DEPTH_TEST); gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  function mesh(one, [i, j, w]) {
    if (one.shown && !one.shown[w < 1 ? i : j]) return;
    if (one.phases) bend(one);
    const step = 12 * one.bones, rows = new Float32Array(step);
    for (let k = 0; k < step; k++) rows[k] = (1 - w) * one.moves[i * step + k] + w * one.moves[j * step + k];
    gl.uniform4fv(at.rows, rows); gl.uniform1f(at.opacity, one.opacity);
    for (const name of ["at", "normal", "colour", "bone", "share"]) bind(name, one[name]);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, one.faces); gl.drawElements(gl.TRIANGLES, one.left ? one.left[i] : one.count, gl.UNSIGNED_SHORT, 0);
  }
  function strip(one, [i, j, w]) {
    const size = 6 * one.count, points = new Float32Array(size), normals = new Float32Array(size);
    for (let k = 0; k < size; k++) points[k] = (1 - w) * one.edges[i * size + k] + w * one.edges[j * size + k];
    const point = (k) => [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
    for (let n = 0; n < one.count; n++) {
      const a = Math.max(n - 1, 0), b = Math.min(n + 1, one.count - 1);
      const out = unit(cross(add(point(2 * b), point(2 * a), -1), add(point(2 * n + 1), point(2 * n), -1)));
      normals.set(out, 6 * n); normals.set(out, 6 * n + 3);
    }
    gl.uniform4fv(at.rows, identity); gl.uniform1f(at.opacity, 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, one.at); gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, one.normal); gl.bufferData(gl.ARRAY_BUFFER, normals, gl.DYNAMIC_DRAW);
    bind("at", one.at); bind("normal", one.normal); bind("colour", one.tone); bind("bone", [0, 0, 0]); bind("share", [1, 0, 0]);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 2 * one.count);
  }
  return () => {
    const ratio = window.devicePixelRatio || 1, wide = Math.round(canvas.clientWidth * ratio), high = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
    gl.viewport(0, 0, wide, high); gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const [view, eye] = matrix(wide, Math.max(high, 1)), [right, up, back] = axes(), when = between(state.time);
    gl.uniformMatrix4fv(at.view, false, view); gl.uniform3fv(at.eye, eye); gl.uniform3fv(at.up, data.up);
    gl.uniform3fv(at.light, unit(add(add(back, data.up, 1.1), right, -0.6)));
    gl.disable(gl.BLEND); gl.depthMask(true);
    gl.cullFace(gl.BACK);
    for (const one of meshes) if (one.opacity === 1) {
      if (one.sided) gl.enable(gl.CULL_FACE);
      mesh(one, when); gl.disable(gl.CULL_FACE);
    }
    for (const one of strips) strip(one, when);
    gl.enable(gl.BLEND); gl.depthMask(false);
    // of what is clear its far side first
    gl.enable(gl.CULL_FACE);
    for (const side of [gl.FRONT, gl.BACK]) { gl.cullFace(side); for (const one of meshes) if (one.opacity < 1) mesh(one, when); }
    gl.disable(gl.CULL_FACE); gl.depthMask(true);
  };
}

const canvas = byId("scene");
let drawScene = null;
try { drawScene = scene(canvas); } catch (failure) { console.error(failure); }
if (!drawScene) byId("caption").textContent = words.no3d;

const fingers = new Map();
canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, event); });
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
canvas.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  take();
  const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
  if (fingers.size > 1 || event.buttons > 1 || event.shiftKey) {
    const [right, up] = axes(), size = 2 * Math.tan(data.half_angle) * camera.far / canvas.clientHeight;
    camera.at = add(add(camera.at, right, -dx * size), up, dy * size);
  } else {
    camera.yaw -= 0.008 * dx; camera.pitch = Math.min(Math.max(camera.pitch + 0.008 * dy, -1.5), 1.5);
  }
  fingers.set(event.pointerId, event); show();
});
canvas.addEventListener("wheel", (event) => { event.preventDefault(); take(); camera.far *= Math.exp(0.001 * event.deltaY); show(); }, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

// --- the curves

const TONES = ["#0a5ea8", "#c8402f", "#0a8f6e", "#b5892a", "#7f5cc4", "#5a6672", "#d0661a", "#4a9bb0"];

function ticks(low, high, most) {
  const span = high - low || 1, power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => span / size <= most), out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * span; n++) out.push(n * step);
  return out;
}
const short = (value) => {
  if (Math.abs(value) < 1e-12) return "0";
  const size = Math.abs(value), text = size < 1e-3 ? Number(value.toPrecision(4)).toExponential() : String(Number(value.toPrecision(4)));
  return text.replace("e-", "e−");
};

function plot(canvas, panel) {
  const curves = panel.curves.map((one, n) => Object.assign({}, one, { x: floats(one.x), y: floats(one.y), tone: TONES[n % TONES.length] }));
  const all = (name) => curves.flatMap((one) => Array.from(one[name]).filter(Number.isFinite));
  const ends = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const [x0, x1] = ends(all("x")), [low, high] = ends(all("y")), room = 0.05 * (high - low || 1), y0 = low - room, y1 = high + room;
  const pen = canvas.getContext("2d"), box = { left: 56, top: 0, right: 10, bottom: 34 };
  const said = (one, k) => `${one.label}  ${short(one.y[k])} ${one.unit}`;
  // two names in a row, or each in its own where one is wider than half of it
  const inRow = (wide) => { pen.font = "11px system-ui, sans-serif"; return curves.some((one) => pen.measureText(`${one.label}  -0.000000 ${one.unit}`).width > 0.48 * wide) ? 1 : 2; };
  const cut = (text, room) => { let n = text.length; while (n > 8 && pen.measureText(text).width > room) { n -= 1; text = `${text.slice(0, n >> 1)}…${text.slice(-(n >> 1))}`; } return text; };
  const time = (event) => (x0 + (event.offsetX - box.left) / (canvas.clientWidth - box.left - box.right) * (x1 - x0)) / panel.per_second;
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); go(time(event)); });
  canvas.addEventListener("pointermove", (event) => { if (event.buttons) go(time(event)); });
  return () => {
    const ratio = window.devicePixelRatio || 1, wide = canvas.clientWidth, across = inRow(wide);
    box.top = 22 + 15 * Math.ceil(curves.length / across); canvas.style.height = `${Math.max(230, box.top + box.bottom + 110)}px`;
    const tall = canvas.clientHeight, [w, h] = [Math.round(wide * ratio), Math.round(tall * ratio)];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0); pen.clearRect(0, 0, wide, tall);
    const px = (x) => box.left + (x - x0) / (x1 - x0 || 1) * (wide - box.left - box.right);
    const py = (y) => tall - box.bottom - (y - y0) / (y1 - y0) * (tall - box.top - box.bottom);
    pen.font = "600 13px system-ui, sans-serif"; pen.fillStyle = "#1e2833"; pen.textBaseline = "top"; pen.textAlign = "left";
    pen.fillText(panel.title, 2, 2);
    pen.font = "11px system-ui, sans-serif"; pen.strokeStyle = "#e4e9ee"; pen.fillStyle = "#5a6672"; pen.lineWidth = 1;
    pen.textAlign = "right"; pen.textBaseline = "middle";
    for (const y of ticks(y0, y1, 5)) { pen.beginPath(); pen.moveTo(box.left, py(y)); pen.lineTo(wide - box.right, py(y)); pen.stroke(); pen.fillText(short(y), box.left - 6, py(y)); }
    pen.textAlign = "center"; pen.textBaseline = "top";
    for (const x of ticks(x0, x1, 8)) { pen.beginPath(); pen.moveTo(px(x), box.top); pen.lineTo(px(x), tall - box.bottom); pen.stroke(); pen.fillText(short(x), px(x), tall - box.bottom + 4); }
    pen.fillText(panel.x_label, 0.5 * (box.left + wide - box.right), tall - 14);
    const now = state.time * panel.per_second;
    curves.forEach((one, n) => {
      pen.strokeStyle = one.tone; pen.lineWidth = 1.5; pen.beginPath();
      for (let k = 0; k < one.x.length; k++) { if (k) pen.lineTo(px(one.x[k]), py(one.y[k])); else pen.moveTo(px(one.x[k]), py(one.y[k])); }
      pen.stroke();
      let k = 0; while (k < one.x.length - 1 && one.x[k + 1] <= now) k++;
      if (k < one.x.length - 1 && Math.abs(one.x[k + 1] - now) < Math.abs(one.x[k] - now)) k++;
      pen.fillStyle = one.tone; pen.textAlign = "left";
      pen.fillText(cut(said(one, k), 0.98 * wide / across), 2 + (n % across) * 0.5 * wide, 20 + 15 * Math.floor(n / across));
    });
    pen.strokeStyle = "#1e2833"; pen.lineWidth = 1; pen.beginPath(); pen.moveTo(px(now), box.top); pen.lineTo(px(now), tall - box.bottom); pen.stroke();
  };
}
const plots = data.panels.map((panel) => {
  const made = document.createElement("canvas");
  made.setAttribute("role", "img"); made.setAttribute("aria-label", panel.title);
  byId("curves").appendChild(made);
  return plot(made, panel);
});

// --- time

const slider = byId("time"), rows = [];
slider.min = times[0]; slider.max = times[last]; slider.step = "any"; slider.value = state.time;
for (const mark of data.marks) {
  const tick = document.createElement("i"), row = document.createElement("button"), when = document.createElement("b");
  tick.style.left = `calc(8px + ${(mark.time - times[0]) / (times[last] - times[0] || 1)} * (100% - 16px))`; tick.title = mark.words;
  byId("track").appendChild(tick);
  when.textContent = mark.when; row.append(when, mark.words);
  row.addEventListener("click", () => { pause(); go(mark.time); });
  byId("happened").appendChild(row); rows.push(row);
}

function show() {
  if (drawScene) drawScene();
  for (const draw of plots) draw();
  byId("clock").textContent = `${(1e3 * state.time).toFixed(1)} ms`;
  slider.value = state.time; slider.setAttribute("aria-valuetext", byId("clock").textContent);
  state.mark = data.marks.findLastIndex((mark) => mark.time <= state.time + 1e-9);
  const told = state.mark >= 0 ? data.marks[state.mark] : null;
  if (drawScene) byId("caption").textContent = told && state.time - told.time < 0.012 ? told.words : "";
  rows.forEach((row, n) => row.classList.toggle("now", n === state.mark));
  document.body.dataset.time = state.time.toFixed(6);
}
function go(time) { state.time = Math.min(Math.max(time, times[0]), times[last]); show(); }
function pause() { state.playing = false; byId("play").textContent = words.play; }
let stamp = 0;
function tick(now) {
  if (!state.playing) return;
  const spent = Math.min(0.001 * (now - stamp), 0.1); stamp = now;
  if (state.held > 0) { state.held -= spent; requestAnimationFrame(tick); return; }
  const next = state.time + spent * state.speed, mark = data.marks.find((one) => one.time > state.time + 1e-9 && one.time <= next);
  if (mark && byId("stops").checked) { state.held = 1.6; go(mark.time); } else go(next);
  if (state.time >= times[last]) pause(); else requestAnimationFrame(tick);
}
function play() {
  if (state.playing) { pause(); return; }
  if (state.time >= times[last]) go(times[0]);
  state.playing = true; state.held = 0; stamp = performance.now(); byId("play").textContent = words.pause; requestAnimationFrame(tick);
}
const VIEWS = { best: data.best || [0.75, 0.22], three: [0.75, 0.22], side: [0, 0], front: [Math.PI / 2, 0], above: [0, 1.5] };
function view(name) {
  through = name === "keyed";
  if (!through) Object.assign(camera, home, { at: home.at.slice(), yaw: VIEWS[name][0], pitch: VIEWS[name][1] });
  show();
}
function wide() { if (document.fullscreenElement) document.exitFullscreen(); else byId("stage").requestFullscreen(); }

slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
byId("play").addEventListener("click", play);
byId("speed").addEventListener("change", () => { state.speed = Number(byId("speed").value); });
byId("speed").value = String(data.speed);
byId("view").addEventListener("change", () => view(byId("view").value));
byId("wide").addEventListener("click", wide);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|BUTTON)$/.test(event.target.tagName)) return;
  const [i] = between(state.time + 1e-9), n = state.mark;
  const marks = data.marks.map((mark) => mark.time);
  const next = event.shiftKey
    ? { ArrowRight: marks.find((t) => t > state.time + 1e-6) ?? times[last], ArrowLeft: marks.findLast((t) => t < state.time - 1e-6) ?? times[0] }
    : { ArrowRight: times[Math.min(i + 1, last)], ArrowLeft: times[Math.max(state.time > times[i] + 1e-6 ? i : i - 1, 0)], Home: times[0], End: times[last] };
  if (event.key in next) { pause(); go(next[event.key]); }
  else if (event.key === " ") play();
  else if (event.key.toLowerCase() === "f") wide();
  else if ("1234".includes(event.key)) view(Object.keys(VIEWS)[Number(event.key)]);
  else return;
  event.preventDefault();
});
window.addEventListener("resize", show);
document.addEventListener("fullscreenchange", show);
const asked = parseFloat(location.hash.slice(1));
if (Number.isFinite(asked)) go(0.001 * asked); else show();
document.body.dataset.ready = drawScene ? "scene" : "flat";
