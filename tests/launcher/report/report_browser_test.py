#!/usr/bin/env python3
"""report_browser_test.py TACIT SOURCE: reports of real runs and of stored measurements in headless Chromium.

With scripts, light and dark, at 1280 and 390 pixels: every figure is drawn, the pointer shows values, a drag zooms, the
page fits its window, and the browser reports no error, no violation of the content policy and no request. Without
scripts: the tables hold the numbers. A run of 100,000 epochs loads in two seconds. Screenshots stay in
$TACIT_SCREENSHOTS, if that is set. Skipped without a browser, but not in CI.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, flush=True)


class Browser:
    """Chromium, driven through its debugging pipe: JSON messages that end in a zero byte."""

    def __init__(self, program, folder):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def descriptors():  # Chromium reads 3 and writes 4
            os.dup2(os.dup(commands), 63)
            os.dup2(os.dup(answers), 64)
            os.dup2(63, 3)
            os.dup2(64, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/profile"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)})
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.answers, 1 << 16)
            if not data:
                raise SystemExit("Chromium ended early")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise SystemExit(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def load(self, page, width, dark=False, scripts=True):
        """Seconds until the page has loaded, its scripts included."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events = []
        begin = time.monotonic()
        self.call("Page.navigate", url=f"file://{page}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        return time.monotonic() - begin

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def screenshot(self, file):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        picture = base64.b64decode(data)
        file.write_bytes(picture)
        return picture

    def complaints(self):
        """Errors, violations of the content policy, words on the console, and requests beyond the file itself."""
        bad = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        found = [json.dumps(event["params"])[:300] for event in self.events if event.get("method") in bad]
        requests = [event["params"]["request"]["url"] for event in self.events
                    if event.get("method") == "Network.requestWillBeSent"]
        return found + [f"a request of {url[:200]}" for url in requests[1:]]

    def close(self):
        self.call("Browser.close")
        self.process.wait(timeout=30)


# Line figures without a pixel of a line on the canvas, and figures of bars or cells without one.
BLANK = """[...document.querySelectorAll("figure")].filter((figure) => {
  const bars = figure.querySelector(".bars, .cells");
  if (bars) return ![...bars.querySelectorAll("i")].some((bar) => bar.getBoundingClientRect().width > 2);
  const blank = (canvas) => !canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v);
  const canvases = [...figure.querySelectorAll(".chart canvas")];
  return canvases.length === 0 || canvases.every(blank);
}).map((figure) => figure.querySelector("figcaption").textContent)"""

# Labels of an axis that lie on each other, and figures that reach beyond the window.
CROWDED = """[...document.querySelectorAll("figure")].flatMap((figure) => {
  const wrong = [], title = figure.querySelector("figcaption").firstChild.textContent;
  if (figure.getBoundingClientRect().right > window.innerWidth + 1) wrong.push(title + " is cut");
  for (const axis of ["x", "y"]) {
    const labels = [...figure.querySelectorAll(".dygraph-axis-label-" + axis)].filter((one) => one.textContent);
    const range = document.createRange();
    const boxes = labels.map((one) => { range.selectNodeContents(one); return range.getBoundingClientRect(); });
    if (labels.length === 0) wrong.push(title + " has no labels of " + axis);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 0.5 && down > 3) wrong.push(title + ": labels of " + axis + " lie on each other");
    }));
  }
  return figure.querySelector(".bars, .cells") ? wrong.filter((one) => one.endsWith("cut")) : wrong;
})"""

FITS = "document.documentElement.scrollWidth <= window.innerWidth"


def check(browser, name, page, pictures):
    shots = {}
    for width in (1280, 390):
        for mode in ("light", "dark"):
            browser.load(page, width, dark=mode == "dark")
            where = f"{name} at {width}, {mode}"
            complaints = browser.complaints()  # before this test reads the canvases, of which the browser warns
            expect(complaints == [], f"{where}: {complaints}")
            figures = browser.evaluate("JSON.parse(document.getElementById('figures').textContent).length")
            drawn = browser.evaluate("document.querySelectorAll('.chart, .bars, .cells').length")
            expect(figures > 0 and drawn == figures, f"{where}: {drawn} of {figures} figures")
            expect(browser.evaluate(BLANK) == [], f"{where}: blank: {browser.evaluate(BLANK)}")
            expect(browser.evaluate(CROWDED) == [], f"{where}: {browser.evaluate(CROWDED)}")
            expect(browser.evaluate(FITS), f"{where}: the page is wider than its window")
            shots[width, mode] = browser.screenshot(pictures / f"{name}-{width}-{mode}.png")
        expect(shots[width, "light"] != shots[width, "dark"], f"{name}: dark is light")
        browser.load(page, width, scripts=False)
        where = f"{name} at {width} without scripts"
        expect(browser.evaluate(FITS), f"{where}: the page is wider than its window")
        folded = "[...document.querySelectorAll('figure details')].filter((one) => !one.open || one.offsetHeight < 40).length"
        expect(browser.evaluate(folded) == 0, f"{where}: numbers of figures are folded away")
        expect(browser.evaluate("document.querySelectorAll('.chart').length") == 0, f"{where}: a script ran")
        browser.screenshot(pictures / f"{name}-{width}-noscript.png")
    print(f"{name}: {figures} figures", flush=True)


def check_pointer(browser, page):
    """The first figure: values at the pointer, zoom by a drag, smoothing, a logarithmic scale, a hidden line."""
    browser.load(page, 1280)
    browser.evaluate("document.documentElement.style.scrollBehavior = 'auto';"
                     "document.querySelector('.chart').scrollIntoView({block: 'center'})")
    left, top, width, height = browser.evaluate(
        "(({left, top, width, height}) => [left, top, width, height])"
        "(document.querySelector('.chart').getBoundingClientRect())")
    middle = top + height / 2
    browser.mouse("mouseMoved", left + 0.6 * width, middle)
    said = browser.evaluate("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent")
    expect("epoch" in said and "on shares" in said, f"the pointer shows no values: {said!r}")
    ticks = "[...document.querySelectorAll('.chart')][0].querySelectorAll('.dygraph-axis-label-x').length + ':' +" \
            "[...document.querySelectorAll('.chart')[0].querySelectorAll('.dygraph-axis-label-x')].map((l) => l.textContent)"
    before = browser.evaluate(ticks)
    browser.mouse("mousePressed", left + 0.4 * width, middle, button="left", buttons=1, clickCount=1)
    for share in (0.5, 0.6, 0.7):
        browser.mouse("mouseMoved", left + share * width, middle, button="left", buttons=1)
    browser.mouse("mouseReleased", left + 0.7 * width, middle, button="left", clickCount=1)
    expect(browser.evaluate(ticks) != before, "a drag does not zoom")
    reset = "document.querySelector('.tools button')"
    expect(not browser.evaluate(reset + ".hidden"), "a zoom offers no way back")
    browser.evaluate(reset + ".click()")
    expect(browser.evaluate(ticks) == before, "the way back from a zoom leads elsewhere")
    drawing = "document.querySelector('.chart canvas').toDataURL()"
    picture = browser.evaluate(drawing)
    for what, act in (("smoothing", "(() => { const s = document.querySelector('.tools input'); s.value = 3;"
                                    "s.dispatchEvent(new Event('input')); })()"),
                      ("a logarithmic scale", "document.querySelector('figcaption button').click()"),
                      ("a hidden line", "document.querySelector('.keys button').click()")):
        browser.evaluate(act)
        changed = browser.evaluate(drawing)
        expect(changed != picture, f"{what} changes nothing")
        picture = changed
    expect(browser.complaints() == [], f"the pointer: {browser.complaints()}")


def long_run(folder, epochs):
    """A run of two parties, in the form of events.jsonl."""
    for rank in range(3):
        role = "party" if rank < 2 else "dealer"
        (folder / f"rank{rank}").mkdir(parents=True)
        with open(folder / f"rank{rank}" / "events.jsonl", "w", encoding="utf-8") as events:
            events.write(json.dumps({"event": "started", "name": "long", "role": role, "parties": 2,
                                     "epochs_planned": epochs}) + "\n")
            for epoch in range(1, epochs + 1):
                peers = {str(peer): {"payload_sent": 1000 + epoch % 7, "packets_sent": 9} for peer in range(2)
                         if peer != rank}
                events.write(json.dumps({"event": "epoch", "epoch": epoch, "loss": 1 / epoch ** 0.5, "rate": 0.1,
                                         "seconds": 0.01 + epoch % 13 * 0.001, "cpu_seconds": 0.005,
                                         "measured": {"rounds": 18, "peers": peers}}, separators=(",", ":")) + "\n")


def hostile_run(folder):
    """A run with texts that try to become markup."""
    text = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">'\"\u202e{{body}}"
    (folder / "rank0").mkdir(parents=True)
    with open(folder / "rank0" / "events.jsonl", "w", encoding="utf-8") as events:
        events.write(json.dumps({"event": "started", "name": text, "role": "party", "parties": 1}) + "\n")
        for epoch in range(1, 40):
            readings = [{"what": f"test {text}", "value": epoch, "to": text}]
            events.write(json.dumps({"event": "epoch", "epoch": epoch, "loss": epoch, "readings": readings,
                                     "rate": 0.1}) + "\n")
        events.write(json.dumps({"event": "phase", "phase": text, "seconds": 2}) + "\n")
        events.write(json.dumps({"event": "failed", "error": text}) + "\n")


def check_long_run(browser, page):
    """The processor time of the page's thread counts, so that a busy machine fails no test."""
    browser.call("Performance.enable", timeDomain="threadTicks")
    wall = browser.load(page, 1280)
    metrics = {one["name"]: one["value"] for one in browser.call("Performance.getMetrics")["metrics"]}
    seconds, drawn = metrics["TaskDuration"], browser.evaluate("document.querySelectorAll('.chart').length")
    print(f"100,000 epochs: {drawn} figures, {page.stat().st_size / 1e6:.2f} MB, {seconds:.2f} s of one core, {wall:.2f} s in all")
    expect(drawn >= 6 and browser.evaluate(BLANK) == [], "a figure of the long run is missing")
    expect(seconds < 2, f"100,000 epochs take {seconds:.2f} s to load")
    expect(page.stat().st_size < 2e6, "the page of a long run is beyond 2 MB")


def main():
    tacit, source = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:])
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None and os.environ.get("CI") != "true":
        print("skipped: there is no Chromium here (Debian: apt-get install chromium)")
        return 77
    if program is None:
        print("there is no Chromium here; in CI tools/setup --tests installs it")
        return 1
    folder = pathlib.Path(tempfile.mkdtemp())
    pictures = pathlib.Path(os.environ.get("TACIT_SCREENSHOTS", folder / "pictures"))
    pictures.mkdir(parents=True, exist_ok=True)

    def run(*words):
        subprocess.run([tacit, *map(str, words)], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    try:
        for name, parties, epochs in (("three", 3, 60), ("two", 2, 1)):
            run("demo", "--parties", parties, "--epochs", epochs, "--keep", name)
        hostile_run(folder / "hostile")
        long_run(folder / "long", 100_000)
        for name in ("three", "two", "hostile", "long"):
            run("report", name)
        run("report", "three", "two", "hostile", "--output", "compared.html")
        shutil.copytree(f"{source}/bench/results/2-core-epyc-2026-11/trainings", folder / "measured")
        run("bench", "divergence", "--rates", "0.1,1", "--parties", "1,2", "--epochs", 10, "--output", "measured")

        browser = Browser(program, folder)
        for name in ("three", "two", "hostile", "measured"):
            check(browser, name, folder / name / "report.html", pictures)
        check(browser, "compared", folder / "compared.html", pictures)
        check_pointer(browser, folder / "three" / "report.html")
        browser.load(folder / "hostile" / "report.html", 1280)
        expect("taken" not in browser.evaluate("document.title.replaceAll(\"='taken'\", '')"), "a text became a script")
        check_long_run(browser, folder / "long" / "report.html")
        browser.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
