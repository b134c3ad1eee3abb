"""gPodder of the distribution, as its windows use it, and its command gpo. Usage: gpo_story.py URL NAME PASSWORD FEED EPISODE

HOME is an empty folder. Each `desk()` is one run of gPodder: it synchronizes when it ends.
"""
import atexit
import contextlib
import os
import subprocess
import sys
import time

url, name, password, feed, episode_url = sys.argv[1:6]
os.environ["GPODDER_HOME"] = os.path.join(os.environ["HOME"], "gPodder")


def gpo(*arguments):
    done = subprocess.run(["gpo", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


def accounts(secret=password):
    for key, value in (("server", url.rstrip("/")), ("username", name), ("password", secret), ("device.uid", "desk")):
        gpo("set", f"mygpo.{key}", value)
    gpo("set", "mygpo.enabled", "True")


accounts()
gpo("subscribe", feed)
# The command synchronizes at its end, also if there is nothing to copy to a device.
gpo("sync")

import gpodder

gpodder.prefix = "/usr"
from gpodder import core, my


@contextlib.contextmanager
def desk():
    here = core.Core()
    client = my.MygPoClient(here.config)
    atexit.unregister(client._at_exit)
    try:
        yield here, client
    finally:
        client._at_exit()
        here.shutdown()


def episode_of(here):
    [podcast] = here.model.get_podcasts()
    return next(one for one in podcast.get_all_episodes() if one.url == episode_url)


# A subscription and what was heard go to podcast-web, with the caption of the device.
with desk() as (here, client):
    assert client.can_access_webservice()
    here.config.mygpo.device.caption = "gPodder on the desk"
    client.on_subscribe([feed])
with desk() as (here, client):
    assert here.config.mygpo.enabled, "the login was refused"
    assert not client._store.load(my.SubscribeAction), "the subscription was not sent"
    episode = episode_of(here)
    client.on_playback_full(episode, 0, 17, 40)
    # gPodder's times have a resolution of one second: the following actions must be later.
    for act in client._store.load(my.EpisodeAction):
        client._store.update(act, timestamp=act.timestamp - 60)
with desk() as (here, client):
    assert not client._store.load(my.EpisodeAction), "the act was not sent"
    assert ("desk", "gPodder on the desk") in [one[:2] for one in client.get_devices()], client.get_devices()

# What another device did comes back: the library of this client has it.
from mygpoclient import api

phone = api.MygPodderClient(name, password, url.rstrip("/"))
acts = phone.download_episode_actions(0).actions
assert [(one.episode, one.position) for one in acts] == [(episode_url, 17)], [vars(one) for one in acts]
phone.upload_episode_actions([api.EpisodeAction(feed, episode_url, "play", "phone", time.strftime("%FT%T", time.gmtime()), 0, 30, 40)])
with desk():
    pass
with desk() as (here, client):
    episode = episode_of(here)
    client.process_episode_actions(lambda of, address: episode if (of, address) == (feed, episode_url) else None)
    assert episode.current_position == 30, episode.current_position

# A subscription that ends on the phone is offered for removal.
phone.update_subscriptions("phone", [], [feed])
with desk():
    pass
with desk() as (here, client):
    offered = client.get_received_actions()
    assert [(one.url, one.is_remove) for one in offered] == [(feed, True)], offered
    client.reject_received_actions(offered)
with desk() as (here, client):
    assert phone.get_subscriptions("desk") == [feed]

# A wrong password ends the account on the client's side.
gpo("set", "mygpo.password", "wrong")
with desk() as (here, client):
    pass
assert not here.config.mygpo.enabled
print("ok")
