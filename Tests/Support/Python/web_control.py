"""Logs in as a user who may not administer. Usage: web_control.py URL NAME PASSWORD"""
import sys

from selenium.webdriver.common.keys import Keys

from web_browser import Element, check_accessibility, open_browser, waiting

url, name, password = sys.argv[1:4]
browser = open_browser()
wait = waiting(browser)


def until(what, condition):
    wait.until(lambda b: condition(b), what)


def find(selector):
    return Element(browser, selector)


def shown(selector):
    """The texts of the visible elements that a selector finds."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map((one) => one.textContent)",
        selector)


try:
    browser.get(url + "#/feeds")
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    until("the feeds", lambda b: shown("#feeds .grow a"))
    assert shown("#subscribe input") == [""] and not shown("#subscribe button"), "the form finds shows, and subscribes to none"
    assert shown("main .buttons button") == ["Refresh all"]
    check_accessibility(browser, "feeds")
    find("#feeds .grow a").click()
    until("the feed", lambda b: shown("main .head .buttons button"))
    assert "Unsubscribe" not in shown("main button")
    browser.execute_script("location.hash = '#/settings'")
    until("the settings", lambda b: shown("#settings .setting"))
    assert not shown("#settings :is(input, select):enabled")
    assert "permission admin" in shown("main .not-admin")[0]
    for screen, place, there, missing in (
            ("outputs", "#outputs .output", "Only here", "Group"), ("rules", "#rules li", "Try", "Add rule"), ("playlists", "#playlists li", "Save", "Delete")):
        browser.execute_script("location.hash = arguments[0]", f"#/{screen}")
        until(screen, lambda b: shown(place))
        browser.execute_script("for (const one of document.querySelectorAll('main details')) one.open = true")
        until(there, lambda b: there in shown("main button"))
        assert missing not in shown("main button") and not shown("#add-output, #find, #retention-form"), (screen, shown("main button"))
        check_accessibility(browser, screen)
    browser.execute_script("location.hash = '#/logins'")
    until("who sees the users", lambda b: "permission admin" in "".join(shown("main .not-admin")))
    assert not shown("#users, #browsers")
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    raise
finally:
    browser.quit()
