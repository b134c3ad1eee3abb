"""Logs in as a user who may only read. Usage: web_reader.py URL NAME PASSWORD"""
import sys

from selenium.webdriver.common.keys import Keys

from web_browser import Element, check_accessibility, open_browser, waiting

url, name, password = sys.argv[1:4]
browser = open_browser()
wait = waiting(browser)


def until(what, condition):
    wait.until(lambda b: condition(), what)


def shown(selector):
    """The texts of the visible elements that a selector finds."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map((one) => one.textContent)",
        selector)


def go(screen):
    browser.execute_script("location.hash = arguments[0]", f"#/{screen}")


try:
    browser.get(url + "#/episodes")
    Element(browser, "dialog[open] input[name=name]").send_keys(name)
    Element(browser, "dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    until("the episodes", lambda: shown("#episodes .grow a"))
    assert not shown("main button"), shown("main button")
    # A user who may only read can move the sound to this browser, and nothing else.
    assert shown("#player button") == ["This browser", "null"] and not shown("#player select") and shown("#player .title")
    check_accessibility(browser, "episodes")
    Element(browser, "#episodes .grow a").click()
    until("the episode", lambda: shown("main .head .buttons button"))
    assert [one for one in shown("main .head button") if one not in ("Play here", "Keep offline")] == []
    until("the notes", lambda: "0:05" in shown(".notes .time"))
    assert browser.execute_script(
        "return [...document.querySelectorAll('main button')].filter((one) => one.checkVisibility()"
        " && getComputedStyle(one).pointerEvents !== 'none' && !one.matches('.here, .keep')).length") == 0
    go("playing")
    until("the chapters", lambda: shown("#chapters button"))
    assert not shown("input[name=bookmark]")
    for screen, place in (("queue", "#queue"), ("outputs", "#outputs .grow"), ("settings", "#settings .setting"), ("feeds", "#feeds .grow a")):
        go(screen)
        until(screen, lambda: shown(place))
        assert all(one == "Log out" for one in shown("main button")), (screen, shown("main button"))
        check_accessibility(browser, screen)
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    raise
finally:
    browser.quit()
