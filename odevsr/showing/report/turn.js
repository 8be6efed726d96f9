// Turns figures in three dimensions by dragging them, or by the arrow keys.
document.querySelectorAll("svg[data-space]").forEach(function (svg) {
  const parts = JSON.parse(svg.dataset.space);
  const nodes = svg.querySelectorAll("[data-part]");
  const [middle, scale] = svg.dataset.view.split(" ").map(Number);
  let [, , azimuth, elevation] = svg.dataset.view.split(" ").map(Number);
  let last = null;

  function flat([x, y, z]) {
    const across = x * Math.cos(azimuth) - y * Math.sin(azimuth);
    const away = x * Math.sin(azimuth) + y * Math.cos(azimuth);
    const up = z * Math.cos(elevation) + away * Math.sin(elevation);
    return [(middle + scale * across).toFixed(1), (middle - scale * up).toFixed(1)];
  }

  function path(kind, points) {
    return points.map(function ([x, y], index) {
      if (kind === "dots") return `M${x} ${y}h0`;
      const begins = index === 0 || (kind === "mesh" && index % 2 === 0);
      return `${begins ? "M" : "L"}${x} ${y}`;
    }).join("");
  }

  function draw() {
    nodes.forEach(function (node) {
      const { kind, points } = parts[node.dataset.part];
      const places = points.map(flat);
      if (kind === "label") {
        node.setAttribute("x", places[0][0]);
        node.setAttribute("y", places[0][1]);
      } else {
        node.setAttribute("d", path(kind, places));
      }
    });
  }

  function turn(across, up) {
    azimuth += across;
    elevation = Math.max(-1.5, Math.min(1.5, elevation + up));
    draw();
  }

  svg.addEventListener("pointerdown", function (event) {
    last = [event.clientX, event.clientY];
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointerup", function () { last = null; });
  svg.addEventListener("pointermove", function (event) {
    if (!last) return;
    turn((event.clientX - last[0]) / 120, (event.clientY - last[1]) / 120);
    last = [event.clientX, event.clientY];
  });
  svg.addEventListener("keydown", function (event) {
    const steps = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (!(event.key in steps)) return;
    event.preventDefault();
    turn(...steps[event.key]);
  });
  svg.classList.add("turns");
});
window.addEventListener("beforeprint", function () {
  document.querySelectorAll("details").forEach(function (each) { each.open = true; });
});
