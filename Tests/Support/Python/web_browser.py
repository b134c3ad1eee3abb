"""A headless Chromium for scripts that use the web remote."""
from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


def waiting(browser):
    """Waits for what the page draws. An element that the page has drawn again meanwhile, or has not laid out yet, is looked up again."""
    return WebDriverWait(browser, 60, ignored_exceptions=[ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException])


class Element:
    """The first element that a selector finds, looked up for each use: the page draws its lists again at any time."""

    def __init__(self, browser, selector):
        self.browser, self.selector = browser, selector
        self.use(lambda one: one)

    def use(self, action):
        find = lambda b: b.find_element(By.CSS_SELECTOR, self.selector)
        return waiting(self.browser).until(lambda b: [action(find(b))], self.selector)[0]

    def click(self): self.use(lambda one: one.click())
    def clear(self): self.use(lambda one: one.clear())
    def send_keys(self, *keys): self.use(lambda one: one.send_keys(*keys))
    def get_attribute(self, name): return self.use(lambda one: one.get_attribute(name))

    @property
    def accessible_name(self): return self.use(lambda one: one.accessible_name)


def open_browser(width=1000, height=900, dark=False):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   f"--window-size={width},{height}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    browser.set_script_timeout(240)
    resize(browser, width, height)
    set_scheme(browser, dark)
    return browser


def resize(browser, width, height):
    """Headless Chromium's windows are never narrower than 500 pixels, but what it shows can be."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def set_scheme(browser, dark):
    """Light or dark, as the desktop environment would say. Without motion, so that colours are there at once."""
    value = "dark" if dark else "light"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": value}, {"name": "prefers-reduced-motion", "value": "reduce"}]})


def check_accessibility(browser, screen):
    """The rules of axe-core, contrast in light and dark among them. No value of a program is shown as text."""
    shown = browser.execute_script("return document.body.innerText")
    assert not any(value in shown for value in ("[object", "undefined", "NaN")), (screen, shown)
    for dark in (False, True):
        set_scheme(browser, dark)
        result = Axe().run(browser)
        assert len(result["passes"]) > 10
        violations = result["violations"]
        assert not violations, (screen, "dark" if dark else "light", [
            (rule["id"], rule["help"], [(node["html"][:300], node["failureSummary"]) for node in rule["nodes"][:5]])
            for rule in violations])
    set_scheme(browser, False)
