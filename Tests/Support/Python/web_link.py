"""Logs in with the address that podcast-web --link prints. web.conf has no users. Usage: web_link.py URL ADDRESS"""
import sys

from web_browser import Element, check_accessibility, open_browser, waiting

url, address = sys.argv[1:3]
browser = open_browser()
wait = waiting(browser)


def text(selector):
    return browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def until(what, condition):
    wait.until(lambda b: condition(), what)


try:
    # Who comes without it is told about it.
    browser.get(url)
    until("the question for a login", lambda: "podcast-web --link" in text("dialog[open] .problem"))
    check_accessibility(browser, "login")
    # In the tab that shows the page already, only the fragment changes.
    browser.get(address)
    until("the login", lambda: text("header [data-login]") == "Log out" and "Nothing plays" in text("#player .title"))
    assert browser.execute_script("return location.hash") == "#/" and not text("dialog[open]")
    until("the way to the first feed", lambda: "Subscribe to a podcast in Shows" in text("#home"))
    browser.execute_script("location.hash = '#/episodes'")
    until("the same", lambda: "Subscribe to a podcast in Shows" in text("#episodes"))
    browser.execute_script("location.hash = '#/feeds'")
    Element(browser, "#subscribe input[name=url]")
    # It opens once.
    browser.delete_all_cookies()
    browser.get("about:blank")
    browser.get(address)
    until("the refusal", lambda: "prints another one" in text("dialog[open] .problem"))
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
