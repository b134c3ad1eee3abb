"""Logs in as a user who may not administer. Usage: web_control.py URL NAME PASSWORD"""
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from web_browser import check_accessibility, open_browser

url, name, password = sys.argv[1:4]
browser = open_browser()
wait = WebDriverWait(browser, 60)


def until(what, condition):
    wait.until(lambda b: condition(b), what)


def shown(selector):
    return [one for one in browser.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]


try:
    browser.get(url + "#/feeds")
    wait.until(lambda b: b.find_element(By.CSS_SELECTOR, "dialog[open] input[name=name]")).send_keys(name)
    browser.find_element(By.CSS_SELECTOR, "dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    until("the feeds", lambda b: shown("#feeds .grow a"))
    assert not shown("#subscribe"), "the form to subscribe"
    assert [one.text for one in shown("main .buttons button")] == ["Refresh all"]
    check_accessibility(browser, "feeds")
    browser.find_element(By.CSS_SELECTOR, "#feeds .grow a").click()
    until("the feed", lambda b: shown("main .head .buttons button"))
    assert "Unsubscribe" not in [one.text for one in shown("main button")]
    browser.execute_script("location.hash = '#/settings'")
    until("the settings", lambda b: shown("#settings .setting"))
    assert not [one for one in shown("#settings :is(input, select)") if one.is_enabled()]
    assert "permission admin" in shown("main .not-admin")[0].text
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    raise
finally:
    browser.quit()
