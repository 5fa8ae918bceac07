// Draws the figures of a page. Their data is JSON in #figures; text from it reaches the page as text, never as markup.
"use strict";
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const root = document.documentElement;
  const charts = [];  // {figure, group, graph, ...} of each line figure
  const wide = "\u202f";

  // dygraphs' own legend writes markup with inline styles, which the page's policy forbids.
  Dygraph.PLUGINS = [Dygraph.Plugins.Axes, Dygraph.Plugins.Grid];

  function element(parent, name, properties = {}, text = "") {
    const made = Object.assign(document.createElement(name), properties);
    made.textContent = text;
    parent.append(made);
    return made;
  }

  // ---- Numbers, written as the tables write them (quantity.cc).
  const units = {
    bytes: [[1, 1, "B"], [1e3, 1e3, "kB"], [1e6, 1e6, "MB"], [1e9, 1e9, "GB"], [1e12, 1e12, "TB"]],
    seconds: [[0, 1e-6, "µs"], [1e-3, 1e-3, "ms"], [1, 1, "s"], [180, 60, "min"], [10800, 3600, "h"]],
    percent: [[0, 1, "%"]],
  };

  function unitFor(quantity, largest) {
    const sizes = units[quantity];
    if (!sizes || (quantity === "seconds" && largest === 0)) return [0, 1, sizes ? "s" : ""];
    return sizes.reduce((chosen, one) => (Math.abs(largest) >= one[0] ? one : chosen), sizes[0]);
  }

  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, wide);

  function number(value) {
    const size = Math.abs(value);
    if (value === 0) return "0";
    if (size < 1e-4 || size >= 1e9) return value.toExponential(3);
    if (size >= 1e4) return grouped(Math.round(value));
    if (size >= 1e3) return value.toFixed(0);
    return value.toPrecision(4);
  }

  function shown(quantity, value) {
    const whole = Number.isInteger(value);
    if (quantity === "count" && whole) return grouped(value);
    const [, size, name] = unitFor(quantity, value);
    if (quantity === "bytes" && size === 1) return `${Math.round(value)} B`;
    return number(value / size) + (name && " " + name);
  }

  // A tick of an axis whose largest value is `largest`: all ticks of an axis have one unit.
  function tick(quantity, value, largest) {
    const [, size, name] = unitFor(quantity, largest);
    const scaled = Number((value / size).toPrecision(6)), absolute = Math.abs(scaled);
    const far = absolute !== 0 && (absolute < 1e-4 || absolute >= 1e7);
    const text = far ? scaled.toExponential() : Number.isInteger(scaled) ? grouped(scaled) : String(scaled);
    return text + (name && value !== 0 ? " " + name : "");
  }

  // ---- Colours: those of the style sheet, light or dark.
  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
  const nameOf = (series) => (series.colour < 0 ? "plain" : "c" + (series.colour % 8));
  const patterns = {solid: null, dashed: [7, 4], dotted: [2, 3]};

  function themeOf(figure) {
    return {
      colors: figure.series.map((one) => colour(nameOf(one))),
      gridLineColor: colour("line"),
      axisLineColor: colour("frame"),
    };
  }

  // ---- Lines.
  function rowsOf(figure, banded) {
    const rows = figure.x.map((x, i) => [x, ...figure.series.map((one) => {
      const y = one.y[i];
      if (!banded) return y;
      if (y === null) return [null, null, null];
      return one.low ? [one.low[i], y, one.high[i]] : [y, y, y];
    })]);
    if (rows.length !== 1) return rows;
    // One place alone would be an axis without a width.
    const empty = (x) => [x, ...figure.series.map(() => (banded ? [null, null, null] : null))];
    const [x] = figure.x, [before, after] = figure.log_across ? [x / 2, 2 * x] : [x - 0.5, x + 0.5];
    return [empty(before), rows[0], empty(after)];
  }

  function keysOf(figure, parent, toggle) {
    const keys = element(parent, "div", {className: "keys"});
    figure.series.forEach((one, i) => {
      const key = element(keys, "button", {type: "button", title: one.name + ": hide or show"});
      key.setAttribute("aria-pressed", "true");
      element(key, "i", {className: `${nameOf(one)} ${one.stroke}`});
      element(key, "span", {}, one.name);
      key.addEventListener("click", () => {
        const visible = key.getAttribute("aria-pressed") !== "true";
        key.setAttribute("aria-pressed", visible);
        toggle(i, visible);
      });
    });
  }

  // What lies at a place on the horizontal axis: a box beside the cursor.
  function tipOf(chart, frame) {
    const {figure} = chart;
    const tip = element(frame, "div", {className: "tip", hidden: true});
    const hide = () => { tip.hidden = true; };
    const show = (event, x, points, row) => {
      if (!figure.x.includes(x)) return hide();
      tip.replaceChildren();
      const at = figure.together > 1 ? `${figure.across}s around ` : `${figure.across} `;
      element(tip, "b", {}, at + shown(figure.across_quantity, x));
      for (const point of points) {
        if (point.yval === null || Number.isNaN(point.yval)) continue;
        const one = figure.series[Number(point.name)];
        const line = element(tip, "div");
        element(line, "i", {className: `${nameOf(one)} ${one.stroke}`});
        element(line, "span", {}, one.name);
        let text = shown(figure.quantity, point.yval);
        if (one.low && one.low[row] !== one.high[row] && figure.x.length > 1 && chart.rolled === 1) {
          text += ` (${shown(figure.quantity, one.low[row])} to ${shown(figure.quantity, one.high[row])})`;
        }
        element(line, "output", {}, text);
      }
      tip.hidden = false;
      const right = points.length > 0 && points[0].canvasx > frame.clientWidth / 2;
      tip.style.left = right ? "4.4rem" : "";
      tip.style.right = right ? "" : ".4rem";
    };
    return {show, hide};
  }

  // A tick at each place where there are few places and room for them. A logarithmic axis leaves out some of them, a
  // linear one has round numbers then.
  const tickerOf = (figure, label) => (least, most, pixels, options, graph) => {
    const ticks = figure.x.filter((x) => x >= least && x <= most).map((x) => ({v: x, label: label(x)}));
    const room = pixels / (8 * Math.max(...ticks.map((one) => one.label.length)) + 10);
    const every = figure.log_across ? Math.ceil(ticks.length / room) : ticks.length <= room ? 1 : Infinity;
    const kept = ticks.filter((one, i) => i % every === 0);
    if (kept.length > 1 || figure.x.length === 1) return kept;
    return Dygraph.numericTicks(least, most, pixels, options, graph);
  };

  // An upright line, with its text beside it.
  function drawMark(canvas, area, graph, mark) {
    const x = graph.toDomXCoord(mark.x);
    if (x < area.x || x > area.x + area.w) return;
    const left = x > area.x + area.w / 2;
    canvas.save();
    canvas.strokeStyle = canvas.fillStyle = colour("quiet");
    canvas.setLineDash([2, 3]);
    canvas.beginPath();
    canvas.moveTo(x, area.y);
    canvas.lineTo(x, area.y + area.h);
    canvas.stroke();
    canvas.font = "12px sans-serif";
    canvas.textAlign = left ? "right" : "left";
    canvas.fillText(mark.text, x + (left ? -4 : 4), area.y + (mark.text === "stopped" ? 26 : 12));
    canvas.restore();
  }

  function drawLines(figure, parent, group) {
    const banded = figure.series.some((one) => one.low);
    const values = figure.series.flatMap((one) => one.y.filter((y) => y !== null));
    const largest = values.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
    const positive = values.every((y) => y > 0);
    const few = figure.x.length <= 24;
    const chart = {figure, group, rolled: 1, log: figure.log && positive};

    const caption = parent.querySelector("figcaption");
    keysOf(figure, parent, (i, visible) => chart.graph.setVisibility(i, visible));
    const frame = element(parent, "div", {className: "chart"});
    element(parent, "p", {className: "across"}, figure.across);
    parent.append(...parent.querySelectorAll(".remark, details"));
    frame.setAttribute("role", "img");
    frame.setAttribute("aria-label", `${figure.title}; its numbers are in the table below`);
    const tip = tipOf(chart, element(parent, "div"));  // moved into the frame below: the graph empties its own element
    const box = element(frame, "div");
    frame.append(parent.lastElementChild);

    const range = () => (chart.log || !figure.from_zero ? null : [0, figure.top === undefined ? null : figure.top]);
    const across = (x) => {
      if (!Number.isInteger(x) && !figure.log_across) return "";
      return tick(figure.across_quantity, figure.across_quantity === "bytes" ? Number(x.toPrecision(3)) : x, x);
    };
    const twin = figure.series.some((one) => one.colour < 0);  // its line lies on that of the shares
    const coarse = matchMedia("(pointer: coarse)").matches;    // a finger scrolls the page instead of the figure
    chart.graph = new Dygraph(box, rowsOf(figure, banded), {
      ...themeOf(figure),
      labels: ["x", ...figure.series.map((one, i) => String(i))],
      series: Object.fromEntries(figure.series.map((one, i) => [String(i), {
        strokePattern: patterns[one.stroke],
        strokeWidth: one.colour < 0 ? 1.5 : twin ? 3 : 1.8,
      }])),
      axes: {
        x: {
          logscale: figure.log_across, drawGrid: false, pixelsPerLabel: 55, axisLabelWidth: 52, axisLabelFormatter: across,
          ...(few || figure.log_across ? {ticker: tickerOf(figure, across)} : {}),
        },
        y: {
          pixelsPerLabel: 32, axisLabelWidth: 62,
          axisLabelFormatter: (y) => tick(figure.quantity, y, chart.log ? y : figure.top || largest),
        },
      },
      customBars: banded, fillAlpha: 0.2, connectSeparatedPoints: true,
      drawPoints: few, pointSize: 2.5, highlightCircleSize: 3.5, yRangePad: 6,
      xRangePad: figure.log_across ? 0 : few ? 8 : 2,  // with a pad, a logarithmic range may begin below 0
      axisLabelFontSize: 12, logscale: chart.log, valueRange: range(), rightGap: few ? 26 : 10, animatedZooms: false,
      ...(coarse ? {interactionModel: {}} : {}),
      underlayCallback: (canvas, area, graph) => (figure.marks || []).forEach((mark) => drawMark(canvas, area, graph, mark)),
      highlightCallback: tip.show, unhighlightCallback: tip.hide,
      zoomCallback: (least, most) => zoom(chart, least, most),
    });
    if (positive && values.length > 0) {
      const button = element(caption, "button", {type: "button", className: "toggle"}, "log");
      button.setAttribute("aria-pressed", chart.log);
      button.title = "logarithmic scale";
      button.addEventListener("click", () => {
        chart.log = !chart.log;
        button.setAttribute("aria-pressed", chart.log);
        chart.graph.updateOptions({logscale: chart.log, valueRange: range()});
      });
    }
    charts.push(chart);
  }

  // Figures of a group over the same quantity are zoomed together.
  function zoom(source, least, most) {
    const zoomed = source.graph.isZoomed();
    for (const chart of charts) {
      if (chart.group !== source.group || chart.figure.across !== source.figure.across || chart === source) continue;
      chart.graph.updateOptions({dateWindow: zoomed && source.graph.isZoomed("x") ? [least, most] : null});
    }
    if (source.group.reset) source.group.reset.hidden = !zoomed;
  }

  // Smoothing and the way back from a zoom, for all lines of a group.
  function toolsOf(group) {
    const mine = charts.filter((chart) => chart.group === group);
    const most = Math.max(0, ...mine.map((chart) => chart.figure.x.length));
    if (most < 20) return;
    const tools = document.createElement("div");
    tools.className = "tools";
    const label = element(tools, "label", {}, "smoothing");
    const slider = element(label, "input",
      {type: "range", min: 0, max: Math.min(8, Math.floor(Math.log2(most / 4))), value: 0});
    const said = element(label, "output", {}, "none");
    slider.addEventListener("input", () => {
      const period = 2 ** Number(slider.value);
      said.textContent = period === 1 ? "none" : `mean of ${period} points`;
      for (const chart of mine) {
        chart.rolled = period;
        chart.graph.adjustRoll(period);
      }
    });
    if (!matchMedia("(pointer: coarse)").matches) element(tools, "span", {}, "drag in a figure to zoom");
    group.reset = element(tools, "button", {type: "button", hidden: true}, "whole range");
    group.reset.addEventListener("click", () => {
      for (const chart of mine) chart.graph.resetZoom();
      group.reset.hidden = true;
    });
    group.element.before(tools);
  }

  // ---- Bars: a row for each name, segments in it for the kinds.
  function drawBars(figure, parent) {
    if (figure.kinds.length > 1) {
      const keys = element(parent, "div", {className: "keys"});
      figure.kinds.forEach((kind, i) => {
        const key = element(keys, "span");
        element(key, "i", {className: `square c${i % 8}`});
        element(key, "span", {}, kind);
      });
    }
    const sums = figure.bars.map((bar) => bar.values.reduce((sum, value) => sum + value, 0));
    const most = Math.max(...sums), least = Math.min(...sums.filter((sum) => sum > 0)) / 3;
    const log = figure.log && least > 0 && most > least;
    const share = (value) => (log ? Math.log(value / least) / Math.log(most / least) : value / most);
    const bars = element(parent, "div", {className: "bars"});
    figure.bars.forEach((bar, i) => {
      element(bars, "span", {}, bar.name);
      const track = element(bars, "div");
      bar.values.forEach((value, kind) => {
        if (!(value > 0)) return;
        const segment = element(track, "i",
          {className: "c" + (kind % 8), title: `${figure.kinds[kind]}: ${shown(figure.quantity, value)}`});
        segment.style.width = 100 * share(value) + "%";
      });
      element(bars, "span", {}, shown(figure.quantity, sums[i]));
    });
    if (log) element(parent, "p", {className: "remark"}, "The lengths are logarithmic.");
    parent.append(...parent.querySelectorAll("details"));
  }

  // ---- Cells: a row for each name, in it a cell for each column, in the colour of the cell's kind.
  function drawCells(figure, parent) {
    const keys = element(parent, "div", {className: "keys"});
    for (const kind of figure.kinds) {
      const key = element(keys, "span");
      element(key, "i", {className: `square c${kind.colour % 8}`});
      element(key, "span", {}, kind.name);
    }
    const cells = element(parent, "div", {className: "cells"});
    cells.style.gridTemplateColumns = `max-content repeat(${figure.columns.length}, minmax(0, 1fr))`;
    element(cells, "span", {}, figure.down);
    for (const column of figure.columns) element(cells, "span", {className: "column"}, column);
    figure.rows.forEach((row, i) => {
      element(cells, "span", {}, row);
      figure.columns.forEach((column, j) => {
        const cell = figure.cells[i][j], kind = cell && figure.kinds[cell.kind];
        const title = kind ? `${figure.down} ${row}, ${figure.across} ${column}: ${kind.name}` : "";
        const box = element(cells, "i", {className: kind ? "c" + (kind.colour % 8) : "blank", title});
        if (cell) element(box, "b", {}, cell.text);
      });
    });
    element(parent, "p", {className: "across"}, figure.across);
    parent.append(...parent.querySelectorAll("details"));
  }

  const groups = new Map();
  figures.forEach((figure, i) => {
    const parent = document.getElementById("figure" + (i + 1)), holder = parent.parentElement;
    if (!groups.has(holder)) groups.set(holder, {element: holder});
    for (const details of parent.querySelectorAll("details")) details.open = false;
    if (figure.bars) drawBars(figure, parent);
    else if (figure.cells) drawCells(figure, parent);
    else drawLines(figure, parent, groups.get(holder));
  });
  for (const group of groups.values()) toolsOf(group);

  // ---- Another theme; paper, whose figures are smaller and always light.
  const recolour = () => charts.forEach((chart) => chart.graph.updateOptions(themeOf(chart.figure)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    charts.forEach((chart) => chart.graph.resize(330, 190));
    recolour();
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    charts.forEach((chart) => {
      chart.graph.maindiv_.style.width = chart.graph.maindiv_.style.height = "";
      chart.graph.resize();
    });
    recolour();
  });
})();
