"""Takes pictures of the web page. Usage: web_pictures.py URL FOLDER"""
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from web_browser import open_browser

url, folder = sys.argv[1:3]
PICTURES = [
    ("home", "web-home.png", 1200, 760, False),
    ("feed/2", "web-feed-dark.png", 1200, 760, True),
    ("queue", "web-queue-phone.png", 390, 800, False),
    ("playing", "web-playing-phone.png", 390, 800, True),
]
for screen, name, width, height, dark in PICTURES:
    browser = open_browser(width, height, dark)
    try:
        browser.get(f"{url}#/{screen}")
        wait = WebDriverWait(browser, 60)
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "main h1"))
        wait.until(lambda b: "The baker" in b.find_element(By.ID, "player").text)
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "main li, main button"))
        wait.until(lambda b: b.execute_script("""
            return document.getElementById('activities').hidden && [...document.querySelectorAll('.cover')].every((one) => one.querySelector('img')?.complete
              || one.getBoundingClientRect().top > innerHeight)"""))
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#player .gap, #player .skip"))
        browser.save_screenshot(f"{folder}/{name}")
        print(f"{folder}/{name}")
    finally:
        browser.quit()
