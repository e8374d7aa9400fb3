#!/usr/bin/env python3
"""Tests a page of mcve in a browser: headless Chromium, by Playwright, with the rules of axe for accessibility.

    python3 tests/browser/page.py [--mcve target/debug/mcve] [--pictures FOLDER] [PAGE...]

Without PAGE it reduces a program with texts that would break a page which does not escape them. Playwright and axe are
downloaded from PyPI into target/browser. Where one of the tools is missing it says so, and that it was skipped.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target" / "browser"

PROGRAM = """\
fn unused() -> u32 { 1 }
fn also_unused(a: u32) -> u32 { unused() + a }
fn wrong() -> u32 { let _long_enough_to_need_more_than_one_line_on_a_phone = "</script><b>it's \\"so\\"<!--"; "</script>" }
fn main() { println!("{}", also_unused(wrong())); }
"""

SIZES = [(360, 740), (390, 844), (1200, 900)]


def skip(why):
    print(f"tests/browser/page.py was skipped: {why}")
    sys.exit(0)


def browser_path():
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = next(filter(None, map(shutil.which, names)), None)
    return found or skip("there is no Chromium: apt-get install chromium")


def download():
    """Playwright without a browser, and axe, as Python packages that nothing else uses."""
    axe = TOOLS / "axe_playwright_python" / "axe.min.js"
    if not axe.is_file():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(TOOLS)]
        done = subprocess.run([*pip, "playwright", "axe-playwright-python"], capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"Playwright and axe cannot be downloaded: {done.stderr.strip().splitlines()[-1:]}")
    sys.path.insert(0, str(TOOLS))
    return axe


def made(mcve, folder):
    """The page of a real run."""
    if not mcve.is_file():
        skip(f"there is no {mcve}: cargo build")
    (folder / "input.rs").write_text(PROGRAM)
    words = [str(mcve.resolve()), "input.rs", "-o", "small.rs", "--html", "page.html", "--keep", "wrong", "-q"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "</script>" in (folder / "small.rs").read_text(), "the test needs it in the result"
    return folder / "page.html"


def check(browser, page_path, axe, pictures):
    """All checks of one page; returns what is wrong."""
    wrong = []

    def expect(holds, what):
        if not holds:
            wrong.append(f"{page_path.name}: {what}")

    for scheme in ["light", "dark"]:
        for width, height in SIZES:
            where = f"{scheme}, {width} px"
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()
            said, asked = [], []
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("request", lambda request: asked.append(request.url))
            page.goto(page_path.resolve().as_uri())
            file, *others = [url for url in asked if not url.startswith("data:")]
            expect(others == [], f"{where}: it asks for {others}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            expect(wide <= width, f"{where}: it is {wide} px wide")
            expect(page.locator("h1").bounding_box()["y"] < height, f"{where}: the failure is not on the first screen")
            code = page.locator(".code").first.bounding_box()
            expect(code["y"] < height * 0.75, f"{where}: the program begins at {code['y']}")
            if pictures:
                name = f"{page_path.stem}-{scheme}-{width}.png"
                page.screenshot(path=pictures / name, full_page=width == 360)
            steps(page, where, expect)
            parts(page, where, expect)
            seconds = page.evaluate("Math.max(0, ...[...document.querySelectorAll('*')].map(e => parseFloat(getComputedStyle(e).transitionDuration)))")
            expect(seconds == 0, f"{where}: something moves for {seconds} s")
            accessible(page, axe, where, expect)
            expect(said == [], f"{where}: the console says {said}")
            context.close()
    without_script(browser, page_path, expect)
    return wrong


def steps(page, where, expect):
    """The slider, its buttons and the keys show one step at a time."""
    count = page.locator("#steps > .step").count()
    if count == 0:
        return
    shown = lambda: page.evaluate("[...document.querySelectorAll('#steps > .step')].map((s, i) => s.checkVisibility() ? i : -1).filter(i => i >= 0)")
    expect(shown() == [0], f"{where}: the first step is not shown alone: {shown()}")
    page.keyboard.press("ArrowRight")
    expect(shown() == [min(1, count - 1)], f"{where}: the key does not lead to the next step: {shown()}")
    page.keyboard.press("ArrowLeft")
    expect(shown() == [0], f"{where}: the key does not lead back: {shown()}")
    page.locator("#step").focus()
    page.keyboard.press("End")
    expect(shown() == [count - 1], f"{where}: the slider does not lead to the last step: {shown()}")
    expect(page.locator("#number").inner_text() == str(count), f"{where}: the number is not that of the last step")
    expect(page.locator("circle.now").count() == 1, f"{where}: the chart does not mark the step")
    page.locator("#back").click()
    expect(shown() == [max(0, count - 2)], f"{where}: the button does not lead back: {shown()}")


def parts(page, where, expect):
    """A part shows its reason when it is chosen by a key, and no more when it is chosen again."""
    links = page.locator("a.part")
    if links.count() == 0:
        return
    reason = page.locator("id=" + links.first.get_attribute("href")[1:])
    links.first.focus()
    page.keyboard.press("Enter")
    expect(reason.is_visible(), f"{where}: the reason is not shown")
    expect(links.first.get_attribute("aria-current") == "true", f"{where}: the part is not marked")
    links.first.click()
    expect("chosen" not in (reason.get_attribute("class") or ""), f"{where}: the reason stays chosen")
    if page.locator("#reasons").is_visible():
        page.locator("#reasons").click()
    expect(page.locator(".why li").first.is_visible(), f"{where}: not all reasons are shown")


def accessible(page, axe, where, expect):
    """axe finds nothing, with all that can be opened open."""
    page.evaluate("document.querySelectorAll('main details:not(.step)').forEach(one => one.open = true)")
    page.evaluate(axe.read_text())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    for violation in found["violations"]:
        nodes = [node["html"][:120] for node in violation["nodes"][:3]]
        expect(False, f"{where}: axe: {violation['id']}: {violation['help']}: {nodes}")


def without_script(browser, page_path, expect):
    """A browser that runs no script shows all: the program, all reasons, each step by its title."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    page.goto(page_path.resolve().as_uri())
    for selector in [".code", "h1", "#command"]:
        expect(page.locator(selector).first.is_visible(), f"without script: {selector} is not shown")
    hidden = [one for one in page.locator(".why li, .step > summary").all() if not one.is_visible()]
    expect(hidden == [], f"without script: {len(hidden)} reasons and steps are not shown")
    expect(not page.locator("#player").is_visible(), "without script: the slider is shown")
    context.close()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--mcve", type=pathlib.Path, default=ROOT / "target" / "debug" / "mcve")
    options.add_argument("--pictures", type=pathlib.Path)
    options.add_argument("pages", nargs="*", type=pathlib.Path)
    args = options.parse_args()
    path, axe = browser_path(), download()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = args.pages or [made(args.mcve, pathlib.Path(folder))]
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        wrong = [problem for page in pages for problem in check(browser, page, axe, args.pictures)]
        browser.close()
    for problem in wrong:
        print(problem)
    print(f"{len(pages)} pages of mcve in a browser: {'failed' if wrong else 'ok'}")
    sys.exit(1 if wrong else 0)


main()
