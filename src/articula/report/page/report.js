// The plots of a report. The page contains their data as JSON (see report/internal/json.h):
//   tasks: [{name, over: {name, unit, values}, rows, signals: [{name, unit, at?, values}],
//            figures: [{title, symbol, unit, lines: [{signal, label}]}]}]
// If a signal was thinned, `at` has the steps from one kept index in over.values to the next. A value that is not finite
// is null. User input is inserted into the page as text, never as HTML.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  // Colours that are distinguishable with any colour vision [Okabe and Ito 2008], slightly darkened or lightened for
  // contrast with the page; after seven lines the dashes change.
  const colours = {
    light: ["#0072b2", "#d55e00", "#009e73", "#b8578f", "#dd9000", "#3fa2dd", "#333333"],
    dark: ["#4aa8e8", "#ff8a45", "#2fc79b", "#e291bf", "#f2b43c", "#9ad6ff", "#e4e8ed"],
  };
  const dashes = [null, [7, 3], [2, 2.5], [9, 3, 2, 3], [12, 4], [4, 4]];
  const line_width = 1.6;
  const colour_of = (k, theme) => colours[theme][k % colours[theme].length];
  const dash_of = (k) => dashes[Math.floor(k / colours.light.length) % dashes.length];

  // Numbers -----------------------------------------------------------------------------------------------------------

  const minus = (text) => text.replace(/-/g, "−");
  const raised = (n) => minus(String(n)).replace("−", "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);

  /** A value for display: six digits, no trailing zeros. */
  const value_text = (x) => {
    if (!Number.isFinite(x)) return "none";
    const size = Math.abs(x);
    if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
      const [digits, power] = x.toExponential(5).split("e");
      return minus(String(Number(digits))) + "·10" + raised(Number(power));
    }
    return minus(String(Number(x.toPrecision(6))));
  };

  /** Round numbers in [low, high], in steps of 1, 2 or 5, with as many decimals as the step needs. */
  const make_ticks = (low, high, most) => {
    const span = high - low;
    if (!(span > 0)) return [{ v: low, label: value_text(low) }];
    const rough = span / Math.max(most, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
      const fits = decimals <= 9 && Math.abs(k * step) < 1e9;
      const label = fits ? (k * step).toFixed(decimals) : String(Number((k * step).toPrecision(10)));
      ticks.push({ v: Math.min(Math.max(k * step, low), high), label: minus(label.replace(/^-(0\.?0*)$/, "$1")) });
    }
    return ticks;
  };

  // Data --------------------------------------------------------------------------------------------------------------

  for (const task of data.tasks) {
    task.plots = [];
    task.window = null; // the visible part of the horizontal axis; null is all of it
    for (const signal of task.signals) {
      signal.values = signal.values.map((x) => (x === null ? NaN : x));
      let place = 0;
      signal.places = signal.at ? signal.at.map((step) => (place += step)) : null;
    }
  }

  /** One row for each index where a line has a value: [over, line, line, ...]. Null: no value is kept here. */
  const make_rows = (task, lines) => {
    const over = task.over.values;
    const signals = lines.map((line) => task.signals[line.signal]);
    const used = new Uint8Array(over.length);
    for (const { places } of signals) places ? places.forEach((p) => (used[p] = 1)) : used.fill(1);
    const row_at = new Int32Array(over.length);
    const rows = [];
    for (let p = 0; p < over.length; ++p) {
      if (!used[p]) continue;
      row_at[p] = rows.length;
      const row = new Array(signals.length + 1).fill(null);
      row[0] = over[p];
      rows.push(row);
    }
    signals.forEach((signal, j) => {
      signal.values.forEach((y, k) => (rows[row_at[signal.places ? signal.places[k] : k]][j + 1] = y));
    });
    return rows;
  };

  /** The row whose first entry is nearest to x. */
  const nearest_row = (rows, x) => {
    let low = 0;
    let high = rows.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (rows[middle][0] <= x) low = middle;
      else high = middle;
    }
    return Math.abs(rows[high][0] - x) < Math.abs(rows[low][0] - x) ? high : low;
  };

  /** The value of line j at the row, or at the nearest row where it has one. */
  const value_near = (rows, row, j) => {
    for (let d = 0; d < rows.length; ++d) {
      for (const k of [row - d, row + d]) {
        if (k >= 0 && k < rows.length && rows[k][j + 1] !== null) return rows[k][j + 1];
      }
    }
    return NaN;
  };

  /** 10³ˣ of the greatest value, so that axes show 12 (10⁶ Pa) and not 12000000 Pa. */
  const power_of = (rows) => {
    let greatest = 0;
    for (const row of rows) {
      for (let j = 1; j < row.length; ++j) if (Math.abs(row[j]) > greatest) greatest = Math.abs(row[j]);
    }
    if (greatest === 0 || !Number.isFinite(greatest) || (greatest >= 0.01 && greatest < 1e5)) return 0;
    return 3 * Math.floor(Math.log10(greatest) / 3);
  };

  const axis_label = (symbol, unit, power) => {
    const scale = [power ? "10" + raised(power) : "", unit].filter(Boolean).join(" ");
    return [symbol, scale ? `(${scale})` : ""].filter(Boolean).join(" ");
  };

  // Themes ------------------------------------------------------------------------------------------------------------

  const root = document.documentElement;
  const system_dark = window.matchMedia("(prefers-color-scheme: dark)");
  const theme_now = () => root.dataset.theme || (system_dark.matches ? "dark" : "light");
  const theme_button = document.getElementById("theme");

  const paint = () => {
    theme_button.textContent = theme_now() === "dark" ? "Light" : "Dark";
    for (const task of data.tasks) for (const plot of task.plots) plot.paint();
  };
  theme_button.hidden = false;
  theme_button.title = "Change the colours of this page";
  theme_button.addEventListener("click", () => {
    root.dataset.theme = theme_now() === "dark" ? "light" : "dark";
    paint();
  });
  system_dark.addEventListener("change", paint);

  // Small makers of elements ------------------------------------------------------------------------------------------

  const make = (tag, settings = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), settings);
    element.append(...children);
    return element;
  };
  const draw = (tag, settings = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(settings)) if (value !== null) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const button = (text, title, act) => {
    const element = make("button", { type: "button", className: "tool", textContent: text, title });
    element.addEventListener("click", act);
    return element;
  };

  const file_name = (...parts) =>
    parts.map((part) => part.replace(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^_+|_+$/g, "").slice(0, 60) || "x").join("-");

  const download = (name, type, text) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = make("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };

  // Comma-separated values: one line of names with units, then the rows in the page. A field whose value was thinned out
  // is empty.
  const csv_cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const csv_text = (task, lines) => {
    const columns = [task.over, ...lines.map((line) => task.signals[line.signal])];
    const head = columns.map(({ name, unit }) => csv_cell(unit ? `${name} [${unit}]` : name)).join(",");
    const body = make_rows(task, lines).map((row) =>
      row.map((x) => (x === null ? "" : Number.isNaN(x) ? "nan" : String(x))).join(","));
    return [head, ...body].join("\r\n") + "\r\n";
  };

  // A figure as a drawing: for print and publications -----------------------------------------------------------------

  const size = { width: 640, left: 66, right: 14, top: 10, plot: 235, bottom: 46, row: 18 };
  const font = "Helvetica, Arial, sans-serif";

  /** The rows of the legend, with as many lines of the plot in each as fit. */
  const legend_rows = (plot, room) => {
    const rows = [[]];
    let used = 0;
    for (const j of plot.shown()) {
      const label = plot.figure.lines[j].label;
      const text = label.length > 40 ? label.slice(0, 39) + "…" : label;
      const width = 26 + 6.4 * text.length + 12;
      if (used + width > room && rows.at(-1).length) rows.push([]), (used = 0);
      rows.at(-1).push({ j, text, x: used });
      used += width;
    }
    return rows;
  };

  /** The points of a line inside and just outside the window; NaN at gaps. */
  const points_of = (plot, j, [low, high]) => {
    const points = [];
    for (const row of plot.rows()) {
      const y = row[j + 1];
      if (y === null) continue;
      if (row[0] < low) points.length = 0;
      points.push([row[0], y]);
      if (row[0] > high) break;
    }
    return points;
  };

  const path_of = (points, X, Y) => {
    let path = "";
    let pen = false;
    for (const [x, y] of points) {
      if (Number.isNaN(y)) {
        pen = false;
        continue;
      }
      path += `${pen ? "L" : "M"}${X(x).toFixed(2)} ${Y(y).toFixed(2)}`;
      pen = true;
    }
    return path;
  };

  /** The vertical range: that on the screen, or slightly more than the range of values. */
  const range_of = (plot, lines) => {
    if (plot.graph) return plot.graph.yAxisRange();
    let low = Infinity;
    let high = -Infinity;
    for (const { points } of lines) {
      for (const [, y] of points) if (y < low) low = y;
      for (const [, y] of points) if (y > high) high = y;
    }
    if (!(low <= high)) return [-1, 1];
    const span = high - low || Math.abs(high) || 1;
    return [low - 0.05 * span, high + 0.05 * span];
  };

  const make_drawing = (plot) => {
    const { task, figure } = plot;
    const all = task.over.values;
    const window_x = task.window || [all[0], all[all.length - 1]];
    const lines = plot.shown().map((j) => ({ j, points: points_of(plot, j, window_x) }));
    const window_y = range_of(plot, lines);
    const scale = 10 ** plot.power();
    const right = size.width - size.right;
    const bottom = size.top + size.plot;
    const X = (x) => size.left + ((x - window_x[0]) / (window_x[1] - window_x[0] || 1)) * (right - size.left);
    const Y = (y) => bottom - ((y - window_y[0]) / (window_y[1] - window_y[0] || 1)) * size.plot;
    const legend = legend_rows(plot, right - size.left);
    const height = bottom + size.bottom + legend.length * size.row;
    const clip = `clip-${plot.id}`;
    const text = (settings, content) => draw("text", { fill: "#000", "font-size": 12, ...settings }, content);

    const grid = draw("g", { stroke: "#ddd", "stroke-width": 0.7 });
    const labels = draw("g");
    for (const { v, label } of make_ticks(...window_x, 8)) {
      grid.append(draw("path", { d: `M${X(v)} ${size.top}V${bottom}` }));
      labels.append(text({ x: X(v), y: bottom + 16, "text-anchor": "middle" }, label));
    }
    for (const { v, label } of make_ticks(window_y[0] / scale, window_y[1] / scale, 7)) {
      grid.append(draw("path", { d: `M${size.left} ${Y(v * scale)}H${right}` }));
      labels.append(text({ x: size.left - 6, y: Y(v * scale) + 4, "text-anchor": "end" }, label));
    }
    const x_label = axis_label(task.over.name, task.over.unit, 0);
    const y_label = axis_label(figure.symbol, figure.unit, plot.power());
    labels.append(
      text({ x: (size.left + right) / 2, y: bottom + 34, "text-anchor": "middle" }, x_label),
      text({ transform: `translate(14 ${size.top + size.plot / 2}) rotate(-90)`, "text-anchor": "middle" }, y_label));

    const curves = draw("g", { fill: "none", "stroke-width": 1.3, "stroke-linejoin": "round", "clip-path": `url(#${clip})` });
    const stroke = (j) => ({ stroke: colour_of(j, "light"), "stroke-dasharray": dash_of(j) && dash_of(j).join(" ") });
    for (const { j, points } of lines) curves.append(draw("path", { d: path_of(points, X, Y), ...stroke(j) }));

    legend.forEach((row, k) => {
      const y = bottom + size.bottom + k * size.row + 6;
      for (const { j, text: label, x } of row) {
        labels.append(draw("path", { d: `M${size.left + x} ${y - 4}h20`, fill: "none", "stroke-width": 1.6, ...stroke(j) }),
          text({ x: size.left + x + 26, y }, label));
      }
    });
    return draw("svg",
      { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${size.width} ${height}`, width: "160mm",
        height: `${(160 * height / size.width).toFixed(2)}mm`, "font-family": font },
      draw("title", {}, `${figure.title}, task ${task.name}`),
      draw("rect", { width: size.width, height, fill: "#fff" }),
      draw("clipPath", { id: clip },
        draw("rect", { x: size.left, y: size.top, width: right - size.left, height: size.plot })),
      grid, curves,
      draw("rect", { x: size.left, y: size.top, width: right - size.left, height: size.plot, fill: "none", stroke: "#000",
        "stroke-width": 0.8 }),
      labels);
  };

  // A figure on the screen --------------------------------------------------------------------------------------------

  // The legend of dygraphs contains inline styles, which the page's policy forbids; ours is below each plot.
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

  const as_html = (text) => make("span", { textContent: text }).innerHTML;

  class Plot {
    constructor(task, figure, element) {
      Object.assign(this, { task, figure, element, id: element.id, graph: null, visible: figure.lines.map(() => true) });
      this.at = make("span", { className: "at" });
      this.area = make("div", { className: "plot" });
      this.area.setAttribute("role", "img");
      this.area.setAttribute("aria-label", `${figure.title}, plotted over ${task.over.name}`);
      this.paper = make("div", { className: "paper" });
      this.chips = figure.lines.map((line, j) => this.make_chip(line, j));
      const name = file_name(data.title, task.name, figure.title);
      const tools = make("div", { className: "figure-tools" }, this.at,
        button("CSV", "Save the values of this figure",
          () => download(`${name}.csv`, "text/csv", csv_text(task, figure.lines))),
        button("SVG", "Save this figure as a drawing, as it is now",
          () => download(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(make_drawing(this)))));
      const legend = make("div", { className: "legend" }, ...this.chips.map((chip) => chip.button));
      element.prepend(tools, this.area, this.paper, legend);
    }

    rows() {
      if (!this.kept_rows) this.kept_rows = make_rows(this.task, this.figure.lines);
      return this.kept_rows;
    }
    power() {
      if (this.kept_power === undefined) this.kept_power = power_of(this.rows());
      return this.kept_power;
    }
    shown() {
      return this.figure.lines.map((_, j) => j).filter((j) => this.visible[j]);
    }

    make_chip(line, j) {
      const sample = draw("path", { d: "M0 5h22", fill: "none", "stroke-width": 2.2,
        "stroke-dasharray": dash_of(j) && dash_of(j).join(" ") });
      const value = make("output");
      const { name, unit } = this.task.signals[line.signal];
      const chip = make("button", { type: "button", className: "chip", title: unit ? `${name} in ${unit}` : name },
        draw("svg", { width: 22, height: 10, "aria-hidden": "true" }, sample),
        make("span", { className: "name", textContent: line.label }), value);
      chip.setAttribute("aria-pressed", "true");
      chip.addEventListener("click", (event) => this.toggle(j, event.shiftKey || event.altKey));
      return { button: chip, sample, value };
    }

    /** Switches line j on or off; alone: only this one, or all again. */
    toggle(j, alone) {
      if (alone) {
        const is_alone = this.visible.every((on, k) => on === (k === j));
        this.visible = this.visible.map((_, k) => is_alone || k === j);
      } else {
        this.visible[j] = !this.visible[j];
      }
      this.chips.forEach((chip, k) => chip.button.setAttribute("aria-pressed", String(this.visible[k])));
      if (this.graph) this.graph.setVisibility(Object.assign({}, this.visible));
    }

    paint() {
      const theme = theme_now();
      this.chips.forEach((chip, j) => chip.sample.setAttribute("stroke", colour_of(j, theme)));
      if (this.graph) this.graph.updateOptions(this.colours());
    }
    colours() {
      const style = getComputedStyle(root);
      const theme = theme_now();
      return {
        colors: this.figure.lines.map((_, j) => colour_of(j, theme)),
        gridLineColor: style.getPropertyValue("--grid").trim(),
        axisLineColor: style.getPropertyValue("--soft").trim(),
      };
    }

    /** Makes the plot itself, when it is about to become visible. */
    open() {
      if (this.graph) return;
      const { task, figure } = this;
      const scale = 10 ** this.power();
      // dygraphs omits a tick at the very end of an axis.
      const ticker = (pixels, factor) => (low, high, length) =>
        make_ticks(low / factor, high / factor, Math.floor(length / pixels))
          .map(({ v, label }) => ({ v: Math.min(v * factor, high - 1e-9 * (high - low)), label }));
      const series = {};
      figure.lines.forEach((_, j) => (series[`line ${j}`] = { strokePattern: dash_of(j) }));
      this.graph = new Dygraph(this.area, this.rows(), {
        labels: ["over", ...figure.lines.map((_, j) => `line ${j}`)],
        series,
        axes: {
          x: { ticker: ticker(70, 1), drawGrid: true },
          y: { ticker: ticker(32, scale), axisLabelWidth: 54 },
        },
        xlabel: as_html(axis_label(task.over.name, task.over.unit, 0)),
        ylabel: as_html(axis_label(figure.symbol, figure.unit, this.power())),
        xLabelHeight: 18, yLabelWidth: 16, axisLabelFontSize: 12,
        visibility: this.visible.slice(),
        dateWindow: task.window,
        connectSeparatedPoints: true,
        strokeWidth: line_width, rightGap: 12, gridLineWidth: 1, highlightCircleSize: 3.5, xRangePad: 0, yRangePad: 12,
        ...this.colours(),
        drawCallback: (graph, is_first) => { if (!is_first) follow_window(this); },
        highlightCallback: (event, x) => follow_pointer(task, x),
        unhighlightCallback: () => follow_pointer(task, null),
      });
      new ResizeObserver(() => this.graph.resize()).observe(this.area);
    }

    /** Shows the values at x, or none. */
    point_at(x) {
      const off = x === null;
      const row = off ? 0 : nearest_row(this.rows(), x);
      if (this.graph) off ? this.graph.clearSelection() : this.graph.setSelection(row);
      const { name, unit } = this.task.over;
      this.at.textContent = off ? "" : `${name} = ${value_text(this.rows()[row][0])}${unit ? " " + unit : ""}`;
      this.chips.forEach(({ value }, j) => {
        value.textContent = off || !this.visible[j] ? "" : value_text(value_near(this.rows(), row, j));
      });
    }
  }

  // All plots of a task share the visible window and the pointer.
  let is_following = false;
  const once = (act) => {
    if (is_following) return;
    is_following = true;
    try { act(); } finally { is_following = false; }
  };
  const follow_pointer = (task, x) => once(() => {
    for (const plot of task.plots) if (plot.graph) plot.point_at(x);
  });
  const set_window = (task, range) => once(() => {
    task.window = range;
    for (const plot of task.plots) {
      if (plot.graph) plot.graph.updateOptions({ dateWindow: range, ...(range ? {} : { valueRange: null }) });
    }
  });
  const follow_window = (plot) => {
    const range = plot.graph.isZoomed("x") ? plot.graph.xAxisRange() : null;
    if (is_following || String(range) === String(plot.task.window)) return;
    once(() => {
      plot.task.window = range;
      for (const other of plot.task.plots) if (other !== plot && other.graph) other.graph.updateOptions({ dateWindow: range });
    });
  };

  // The page ----------------------------------------------------------------------------------------------------------

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      target.plot.open();
    }
  }, { rootMargin: "600px" });

  for (const element of document.querySelectorAll("figure[data-task]")) {
    const task = data.tasks[Number(element.dataset.task)];
    const plot = new Plot(task, task.figures[Number(element.dataset.figure)], element);
    element.plot = plot;
    task.plots.push(plot);
    plot.paint();
    seen.observe(element);
  }
  for (const bar of document.querySelectorAll(".bar[data-task]")) {
    const task = data.tasks[Number(bar.dataset.task)];
    const all = task.signals.map((_, signal) => ({ signal }));
    bar.append(
      button("Whole range", "Show everything again", () => set_window(task, null)),
      button("CSV of all signals", "Save the values of all signals of this task",
        () => download(`${file_name(data.title, task.name)}.csv`, "text/csv", csv_text(task, all))));
  }

  const draw_for_paper = () => {
    for (const task of data.tasks) for (const plot of task.plots) plot.paper.replaceChildren(make_drawing(plot));
  };
  window.addEventListener("beforeprint", draw_for_paper);
  window.addEventListener("afterprint", () => {
    for (const task of data.tasks) for (const plot of task.plots) plot.paper.replaceChildren();
  });
  paint();
  document.body.dataset.ready = "yes";
})();
