"""Looks at the layout of the web remote in windows as narrow as a phone. Usage: web_layout.py URL

The daemon has feed 1 and its episode 1 with long titles, plays, and allows everything without a login.
"""
import sys

from selenium.webdriver.support.ui import WebDriverWait

from web_browser import check_accessibility, open_browser, resize, set_scheme

url = sys.argv[1]
browser = open_browser(390, 844)
wait = WebDriverWait(browser, 60)

# What is wider than the window, wrapped within a button or a link of the header, or hidden by another element.
FAULTS = """
const faults = [];
const label = (one) => one.outerHTML.slice(0, 120);
const texts = (one) => [...one.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node] : texts(node)));
const lines = (one) => Math.max(0, ...texts(one).map((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top / 12))).size;
}));
if (document.documentElement.scrollWidth > innerWidth) faults.push(`page of ${document.documentElement.scrollWidth} px`);
for (const one of document.querySelectorAll("body *:not(.skip, option, .unseen, .title *, .dim *, .cards *, .where *)")) {
  const box = one.getBoundingClientRect();
  if (box.width && (box.right > innerWidth + 1 || box.left < -1)) faults.push(`outside: ${label(one)}`);
}
for (const one of document.querySelectorAll("button, nav a")) if (one.checkVisibility() && lines(one) > 1) faults.push(`wrapped: ${label(one)}`);
const rows = new Set([...document.querySelectorAll("nav a")].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top));
if (rows.size > 1 && innerWidth <= 800) faults.push("the navigation has several rows");
for (const one of document.querySelectorAll("main .name")) if (innerWidth <= 800 && one.getBoundingClientRect().height > 60) faults.push(`a title of more than two lines: ${label(one)}`);
for (const one of document.querySelectorAll("footer :is(button, input, select)")) {
  const box = one.getBoundingClientRect();
  if (box.width && !one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))) faults.push(`covered: ${label(one)}`);
}
return faults;"""

# Controls of the player that cannot be used now.
MISSING = """
return ["Previous", "Back 15 seconds", "Forward 30 seconds", "Next", "Position", "Speed", "Volume", "Sleep timer"].filter((name) => {
  const one = document.querySelector(`footer [aria-label="${name}"]`);
  const box = one?.getBoundingClientRect();
  return !one?.checkVisibility() || box.width < 30 || box.height < 16 || box.bottom > innerHeight;
});"""


def go(screen, selector):
    browser.execute_script("location.hash = arguments[0]", f"#/{screen}")
    wait.until(lambda b: b.execute_script("return document.querySelector(arguments[0]) !== null", f"main {selector}"),
               f"{screen} has no {selector}")


SCREENS = [("home", "#new .grow"), ("more", ".menu a"), ("playing", "#playing .buttons"), ("queue", "#queue .buttons"), ("feeds", "#feeds .grow"), ("episodes", "#episodes .buttons"),
           ("downloads", "#downloads li"), ("bookmarks", "#bookmarks li"), ("offline", "#offline li"), ("settings", ".setting"), ("devices", "#devices li"), ("feed/1", ".rows .buttons"), ("episode/1", "#note")]
# Shown in narrow windows only; web_screens.py uses them.
LISTS = [("playlists", "#playlists li"), ("playlist?name=upNext", "#episodes li"), ("rules", "#rules li"), ("history", "#history p, #history li"), ("statistics", "#statistics p, #by-show"),
         ("outputs", "#outputs .output"), ("logins", "#users li"), ("activities", "#running li"), ("log", "#log li"), ("doctor", "#check")]

try:
    browser.get(url)
    wait.until(lambda b: b.execute_script("return document.querySelector('#player .title a') !== null"), "nothing plays")
    # Pages that were left hold no connection.
    for _ in range(8):
        browser.get("about:blank")
        browser.get(url)
        wait.until(lambda b: b.execute_script("return document.querySelector('#player .title a') !== null"), "the page got no answer")
    opener = "document.querySelector('[aria-controls=more-controls]')"
    browser.execute_script(f"{opener}.click()")
    for dark in (False, True):
        set_scheme(browser, dark)
        for width, height in ((390, 844), (320, 640), (810, 900), (720, 900), (1000, 900)):
            resize(browser, width, height)
            where = (width, "dark" if dark else "light")
            for screen, selector in SCREENS + ([] if dark or width > 400 else LISTS):
                go(screen, selector)
                faults = browser.execute_script(FAULTS)
                assert not faults, (*where, screen, faults)
                missing = browser.execute_script(MISSING)
                assert not missing, (*where, screen, missing)
                if screen in ("feed/1", "episode/1"):
                    play, player = browser.execute_script(
                        "return ['main .buttons .main', '#bottom'].map((one) => document.querySelector(one).getBoundingClientRect())")
                    assert play["bottom"] <= player["top"], (*where, screen, "Play is below the window", play, player)
    # The row is closed by the button that opened it.
    resize(browser, 390, 844)
    browser.execute_script(f"{opener}.click()")
    assert set(browser.execute_script(MISSING)) == {"Previous", "Next", "Speed", "Volume", "Sleep timer"}
    assert browser.execute_script(f"return {opener}.ariaExpanded") == "false"
    for screen, selector in SCREENS:
        go(screen, selector)
        check_accessibility(browser, screen)
    print("ok")
except BaseException:
    browser.save_screenshot(sys.argv[2]) if len(sys.argv) > 2 else None
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
