"""Adds and removes phones in the browser. Usage: web_devices.py URL NAME PASSWORD ZBARIMG

The daemon has no devices. A client asks for its password by Nextcloud's login flow.
"""
import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from base64 import b64encode

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web_browser import Element, check_accessibility, open_browser, resize, set_scheme, waiting

url, name, password, zbarimg = sys.argv[1:5]
root = url.rstrip("/")
browser = open_browser()
wait = waiting(browser)


def find(selector):
    return Element(browser, selector)


def text(selector):
    return browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def until(what, condition):
    return wait.until(lambda b: condition(), f"{what}; message: {text('#message')}")


def status(secret):
    request = urllib.request.Request(f"{root}/subscriptions/{name}/phone.json", headers={
        "Authorization": "Basic " + b64encode(f"{name}:{secret}".encode()).decode()})
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code


def post(address, body, headers={}):
    with urllib.request.urlopen(urllib.request.Request(address, data=body, headers=headers), timeout=60) as answer:
        return json.load(answer)


def check_layout(screen):
    check_accessibility(browser, screen)
    for width in (320, 390):
        resize(browser, width, 844)
        wide = browser.execute_script("""
            return [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
              .map((one) => one.outerHTML.slice(0, 100));""")
        assert not wide and browser.execute_script("return document.documentElement.scrollWidth") <= width, (screen, width, wide)
    resize(browser, 1000, 900)


def remove(caption, accepts):
    find(f'[aria-label="Remove {caption}"]').click()
    alert = wait.until(lambda b: b.switch_to.alert, "no question")
    assert caption in alert.text and "app password" in alert.text, alert.text
    alert.accept() if accepts else alert.dismiss()


try:
    # A phone with what a person has to enter there, also as a code that its camera reads.
    browser.get(url + "#/settings")
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    find('main a[href="#/devices"]').click()
    until("the empty list", lambda: "No device" in text("#devices"))
    assert text('nav [aria-current="page"]') == "Settings"
    check_layout("no devices")
    find("#add-device input").send_keys("Anna's phone")
    find("#add-device button").click()
    until("the login", lambda: len(browser.find_elements(By.CSS_SELECTOR, "#login dd")) == 3)
    server, user, secret = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "#login dd")]
    assert (server, user) == (root, name) and status(secret) == 200
    assert "A phone cannot reach this address" in text("#login")
    until("the device", lambda: "Anna's phone" in text("#devices"))
    assert f"app password of {name}" in text("#devices") and secret not in text("#devices")
    check_layout("login")
    for dark in (False, True):
        set_scheme(browser, dark)
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            picture.write(browser.find_element(By.CSS_SELECTOR, ".qr").screenshot_as_png)
            picture.flush()
            code = subprocess.run([zbarimg, "--quiet", "--raw", picture.name], capture_output=True, text=True).stdout.strip()
        assert code == f"nc://login/server:{root}&user:{name}&password:{secret}", code
    set_scheme(browser, False)

    # The password is not shown again. A device is removed only after a question, and then its password does not work.
    browser.refresh()
    until("the list", lambda: "Anna's phone" in text("#devices"))
    assert secret not in browser.page_source
    remove("Anna's phone", False)
    assert status(secret) == 200
    remove("Anna's phone", True)
    until("no device", lambda: "No device" in text("#devices"))
    assert status(secret) == 401

    # A client opens the page in a browser, and gets its password after the consent.
    flow = post(root + "/index.php/login/v2", b"", {"User-Agent": "<b>AntennaPod</b>/3.9"})
    browser.get("about:blank")
    browser.get(flow["login"])
    until("the client's name", lambda: "<b>AntennaPod</b>/3.9 asks for" in text("#connect"))
    check_layout("connect")
    field = find("#connect input")
    field.clear()
    field.send_keys("AntennaPod", Keys.ENTER)
    until("the device", lambda: "AntennaPod" in text("#devices") and not text("#connect"))
    login = post(flow["poll"]["endpoint"], urllib.parse.urlencode({"token": flow["poll"]["token"]}).encode())
    assert (login["server"], login["loginName"]) == (root, name) and status(login["appPassword"]) == 200
    assert not [one for one in browser.get_log("browser") if "401" not in one["message"]], browser.get_log("browser")
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
