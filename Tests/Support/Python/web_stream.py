"""Opens the addresses of podcast-web's streams in the browser, which plays them.

Usage: web_stream.py URL
"""
import sys

from web_browser import open_browser, waiting

url = sys.argv[1]
browser = open_browser()
try:
    for name in ["stream.mp3", "stream.opus"]:
        browser.get(f"{url}{name}")
        time = "return document.querySelector('video, audio')?.currentTime ?? -1"
        browser.execute_script("const one = document.querySelector('video, audio'); one.muted = true; one.play()")
        waiting(browser).until(lambda b: b.execute_script(time) > 1, name)
finally:
    browser.quit()
