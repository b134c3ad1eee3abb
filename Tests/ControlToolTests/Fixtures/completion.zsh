#compdef podcastctl
# zsh completion for podcastctl; made from its declaration

_podcast_names() {
    local line
    local -a names=()
    for line in "${(@f)$($1 complete $2 -- "${(Q)PREFIX}" "${(Q)words[CURRENT-1]}" 2>/dev/null)}"; do
        [[ -n $line ]] && names+=("${line%%$'\t'*}")
    done
    compadd -U -S '' -- "${(@M)names:#*:}"
    compadd -U -- "${(@)names:#*:}"
}
_podcastctl() {
    local curcontext="$curcontext" state line
    typeset -A opt_args
    _arguments -C \
        '--socket=[The daemon'\''s control socket.]:PATH:_files' \
        '--json[Print the reply as JSON, for scripts.]' \
        '--format=[Print each row of the reply as TEMPLATE, such as '\''{id} {title}'\''; an unknown name is refused.]:TEMPLATE: ' \
        '-q[Print answers to questions and errors, but no confirmations and notes.]' '--quiet[Print answers to questions and errors, but no confirmations and notes.]' \
        '--utc[Show times in UTC (default\: local time; JSON is always in UTC).]' \
        '--no-color[Disable colours and bold text.]' \
        '--no-pager[Do not show output that is longer than the terminal page by page.]' \
        '-h[Show this help and exit.]' '--help[Show this help and exit.]' \
        '-V[Show the version and exit.]' '--version[Show the version and exit.]' \
        '1:command:->command' \
        '*::argument:->argument'
    case $state in
        command)
            local -a commands=(
                'play:Play an episode, a feed, a URL or a file; without WHAT, resume playback.'
                'pause:Pause.'
                'toggle:Pause when playing, else play.'
                'stop:Stop; the position is kept.'
                'next:Play the next entry of the queue.'
                'previous:Restart the episode, or play the previous one.'
                'seek:Jump to a time, or forward or back.'
                'chapter:Jump to a chapter.'
                'volume:Show, set or change the volume.'
                'speed:Show, set or change the playback speed.'
                'undo:Undo the last change of the library or the queue, or the last actions of rules.'
                'redo:Take the last '\''undo'\'' back.'
                'sleep:Pause after a time, at a time of day, or at the end of the episode or chapter; without WHEN, show the sleep timer.'
                'announce:Interrupt playback for a message, and return to the same place.'
                'queue:Show the queue.'
                'add:Append episodes to the queue.'
                'insert:Queue as the next entry.'
                'remove:Remove entries from the queue.'
                'move:Move entries to another index.'
                'clear:Clear the queue and stop playback.'
                'crop:Remove all entries but the current one from the queue.'
                'shuffle:Shuffle the entries after the current one.'
                'feeds:List the subscribed feeds by title.'
                'feed:Show everything about a feed.'
                'subscribe:Subscribe to feeds and fetch them.'
                'unsubscribe:Unsubscribe from feeds. They are kept for 30 days\: '\''undo'\'' brings them back.'
                'refresh:Fetch the feeds that are due, or those named.'
                'explain:Explain how a feed is fetched, and what a fetch brings now.'
                'set:Set one of a feed'\''s own settings.'
                'find:Search podcast directories by title or author.'
                'import:Import subscriptions, with positions, played marks and stars.'
                'export:Print all subscriptions as OPML, or the whole state as JSON.'
                'episodes:List episodes, newest first.'
                'show:Show everything about an episode.'
                'mark:Mark episodes as played or unplayed.'
                'star:Star episodes.'
                'unstar:Remove stars from episodes.'
                'note:Write a note about an episode.'
                'download:Download episodes in the background.'
                'downloads:List downloads\: waiting, under way, failed, on disk, and heard but still in the cache.'
                'delete:Delete downloaded files; the episodes stay in the library.'
                'history:Show the listening history, newest first.'
                'chapters:List the chapters of an episode, from the feed, its chapters document and the file.'
                'transcript:Show an episode'\''s transcript; it is downloaded if necessary.'
                'transcripts:Download the transcripts of all episodes of a feed.'
                'said:Search downloaded transcripts.'
                'picture:Print the cover of an episode or a feed as a small JPEG file.'
                'bookmark:Mark the place that is heard, with a text.'
                'bookmarks:List bookmarks\: of EPISODE by position, or all, newest first.'
                'stats:Show the hours heard by feed, month and year, and the time saved.'
                'search:Search the titles and notes of stored episodes.'
                'new:List new episodes, of all feeds or of one.'
                'playlists:List the playlists with their lengths.'
                'playlist:Show, save or remove a playlist.'
                'rules:Show the rules in their order.'
                'rule:Add a rule for new episodes.'
                'retention:Show how many episodes of each feed are kept in lists.'
                'status:Show what is playing and what the daemon is doing.'
                'activities:Show what the daemon and its helpers are doing.'
                'outputs:List the outputs.'
                'output:Enable an output.'
                'settings:Show the settings, show one, or change one.'
                'backup:Back up the library while the daemon runs.'
                'metrics:Print metrics in OpenMetrics format, for monitoring.'
                'doctor:Check the installation and suggest fixes.'
                'commands:List all commands with their parameters.'
                'version:Show the versions of this program and of the daemon.'
                'help:Show the help of a command.'
                'completion:Print the completions for a shell.'
            )
            _describe command commands ;;
        argument)
            case $line[1] in
                play)
                    _arguments \
                        '--position=[Where to start (default\: the saved position).]:TIME: ' \
                        '--said=[Start where this is said, according to the episode'\''s transcript.]:TEXT: ' \
                        '--oldest-first[Continue with the feed or playlist, oldest episode first.]' \
                        '--newest-first[Continue with the feed or playlist, newest episode first.]' \
                        '--then-queue[Continue with the queue, not with a feed or playlist.]' \
                        '-w[Wait until the episode has ended, was stopped, or another one plays; the status tells whether it failed.]' '--wait[Wait until the episode has ended, was stopped, or another one plays; the status tells whether it failed.]' \
                        '*:An index in the queue, an episode'\''s or feed'\''s id such as e3124 or f5, a URL of a file or feed, words of a title, playlist\:NAME or filter\:CONDITIONS.: _podcast_names podcastctl title'
                    ;;
                pause)
                    _arguments
                    ;;
                toggle)
                    _arguments
                    ;;
                stop)
                    _arguments
                    ;;
                next)
                    _arguments
                    ;;
                previous)
                    _arguments
                    ;;
                seek)
                    _arguments \
                        '--said=[Jump to the next place in the transcript where TEXT is said, starting over after the last.]:TEXT: ' \
                        '::SECONDS, M\:SS, H\:MM\:SS[.mmm] or 1h2m3s; with + or - relative to the position heard now. Or a percentage such as 50% or +10%.: '
                    ;;
                chapter)
                    _arguments \
                        '*:next, previous, a chapter'\''s number, or words of its title.: _podcast_names podcastctl chapter'
                    ;;
                volume)
                    _arguments \
                        '::Percentage\: N, or +N / -N to change it (default\: show it).: '
                    ;;
                speed)
                    _arguments \
                        '::0.5 to 4, or +N / -N to change it, such as +0.1 (default\: show it).: '
                    ;;
                undo)
                    _arguments \
                        '--list[Only show what would be undone, the last act first, and what '\''redo'\'' would do again.]' \
                        '-y[Undo without a confirmation what was done long ago.]' '--yes[Undo without a confirmation what was done long ago.]'
                    ;;
                redo)
                    _arguments
                    ;;
                sleep)
                    _arguments \
                        '::Minutes, TIME such as 1h30m, +TIME, -TIME, H\:MM, end-of-episode, end-of-chapter or off.: _podcast_names podcastctl sleep' \
                        '::With end-of-episode\: the number of episodes, including the current one (default\: 1).: '
                    ;;
                announce)
                    _arguments \
                        '--volume=[Volume of the message in per cent (default\: that of playback).]:VOLUME: ' \
                        '*:URL of an audio file, or its path. On the socket the descriptor of the file comes with the request\: see Files.: '
                    ;;
                queue)
                    _arguments
                    ;;
                add)
                    _arguments \
                        '--at=[The index of the first new entry (default\: the end).]:N: ' \
                        '--limit=[Queue at most N episodes of each feed or playlist, or all.]:N: ' \
                        '--again[Queue an episode that is named once more although it is queued already.]' \
                        '--next[Queue as the next entry, as '\''insert'\'' does.]' \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means its unplayed episodes.: _podcast_names podcastctl title'
                    ;;
                insert)
                    _arguments \
                        '--limit=[Queue at most N episodes of each feed or playlist, or all.]:N: ' \
                        '--again[Queue an episode that is named once more although it is queued already.]' \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means its unplayed episodes.: _podcast_names podcastctl title'
                    ;;
                remove)
                    _arguments \
                        '*:Entries\: an index or a range of indexes, an episode'\''s or feed'\''s id, a URL, or words of a queued episode'\''s title; or heard for all that are played, except the one that plays.: _podcast_names podcastctl title'
                    ;;
                move)
                    _arguments \
                        ':An entry\: an index or a range of indexes, an episode'\''s or feed'\''s id, a URL, or words of a queued episode'\''s title.: _podcast_names podcastctl title' \
                        ':The new index of the first of them, from 1 to the length of the queue.: '
                    ;;
                clear)
                    _arguments
                    ;;
                crop)
                    _arguments
                    ;;
                shuffle)
                    _arguments
                    ;;
                feeds)
                    if (( CURRENT == 2 )); then
                        compadd merge
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            merge)
                                _arguments \
                                    '--yes[Act on a part of a title too, if it matches exactly one; do not ask.]' \
                                    ':A feed\: its id, URL or words of its title.: _podcast_names podcastctl feed' \
                                    ':The feed that is merged into it\: its id, URL or words of its title.: _podcast_names podcastctl title'
                                ;;
                        esac
                    fi
                    ;;
                feed)
                    _arguments \
                        '*:A feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                    ;;
                subscribe)
                    _arguments \
                        '--user-agent=[Send TEXT as User-Agent for this feed, its refreshes and its episodes (the feed setting user_agent).]:TEXT: ' \
                        '--user=[User name for a server that requires a login; the password is asked for.]:NAME: ' \
                        '--password-file=[Read the password from the first line of FILE, or of standard input if FILE is -.]:FILE:_files' \
                        '--url=[URL of a feed that is given as a file and does not name its own.]:URL: ' \
                        '*:URLs of feeds, of web pages that link to one, of OPML lists, or of Apple Podcasts pages.: '
                    ;;
                unsubscribe)
                    _arguments \
                        '--yes[Act on a part of a title too, if it matches exactly one; do not ask.]' \
                        '*:Feeds\: ids, ranges of ids, URLs or words of titles.: _podcast_names podcastctl feed'
                    ;;
                refresh)
                    _arguments \
                        '--force[Also fetch feeds that are not due.]' \
                        '--tag=[Fetch the feeds with this tag, or one inside it.]:TAG: _podcast_names podcastctl tag' \
                        '*:Feeds\: ids, ranges of ids, URLs or words of titles.: _podcast_names podcastctl feed'
                    ;;
                explain)
                    _arguments \
                        '*:A feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                    ;;
                set)
                    _arguments \
                        '--reset[Reset KEY to its default.]' \
                        ':A feed\: its id, URL or words of its title.: _podcast_names podcastctl feed' \
                        '::Name of the setting (default\: list all).: _podcast_names podcastctl feed-setting' \
                        '::The new value; without it the setting is shown.: _podcast_names podcastctl feed-value'
                    ;;
                find)
                    _arguments \
                        '--limit=[Show at most N podcasts, or all (default\: 20).]:N: ' \
                        '*:Words of the title or author.: '
                    ;;
                import)
                    _arguments \
                        '--from=[File format (default\: detected).]:opml|feed|state|gpodder|castero|newsboat|antennapod:(opml feed state gpodder castero newsboat antennapod)' \
                        '--url=[URL of a feed that is given as a file and does not name its own.]:URL: ' \
                        ':The document or database, or - for stdin.:_files'
                    ;;
                export)
                    _arguments \
                        '--state[The whole state\: subscriptions, tags, positions, marks, stars, notes, queue.]'
                    ;;
                episodes)
                    _arguments \
                        '--unplayed[Not played yet.]' \
                        '--starred[Starred.]' \
                        '--downloaded[Downloaded.]' \
                        '--in-progress[Heard to 30 seconds or 1 % of the duration, and not finished.]' \
                        '--gone[No longer listed by their feed.]' \
                        '--search=[Words, "phrases" and -words that must not occur, in title, notes or transcript.]:TEXT: ' \
                        '--filter=[Conditions such as '\''is\:unplayed longer\:30m'\'' or '\''is\:new or is\:starred'\'', see podcastd-rules(7).]:FILTER: _podcast_names podcastctl filter' \
                        '--order=[Sort order. Default\: best with --search, else newest.]:best|newest|oldest:(best newest oldest)' \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--after=[Show the rows that follow this one\: an episode'\''s id, or a key or next of --json.]:ID: ' \
                        '*:Only of this feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                    ;;
                show)
                    _arguments \
                        '--html[Print only the notes, as HTML.]' \
                        '*:An episode\: its id, index in the queue such as #3, '\''current'\'', URL or words of its title.: _podcast_names podcastctl episode'
                    ;;
                mark)
                    _arguments \
                        '--older-than=[Only those published before EPISODE\: its id, URL or words of its title.]:EPISODE: _podcast_names podcastctl episode' \
                        ':played or unplayed.:(played unplayed)' \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means all its episodes.: _podcast_names podcastctl title'
                    ;;
                star)
                    _arguments \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means all its episodes.: _podcast_names podcastctl title'
                    ;;
                unstar)
                    _arguments \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means all its episodes.: _podcast_names podcastctl title'
                    ;;
                note)
                    _arguments \
                        ':An episode\: its id, index in the queue such as #3, '\''current'\'', URL or words of its title.: _podcast_names podcastctl episode' \
                        '*:The note; an empty one removes it.: '
                    ;;
                download)
                    _arguments \
                        '--limit=[Download at most N episodes of a feed or playlist, or all (default\: 50).]:N: ' \
                        '-w[Wait until the files are on disk, and show progress; the status is 75 if one fails.]' '--wait[Wait until the files are on disk, and show progress; the status is 75 if one fails.]' \
                        '--to=[Copy the files into this folder once they are on disk, with names such as '\''2026-11-23 Show - Title.mp3'\''. Files that are there already stay as they are.]:DIR:_files -/' \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means its newest unplayed episodes.: _podcast_names podcastctl title'
                    ;;
                downloads)
                    _arguments \
                        '--limit=[Show at most N rows, or all (default\: 200).]:N: ' \
                        '--after=[Show the downloads that follow that of this episode.]:ID: '
                    ;;
                delete)
                    _arguments \
                        '--yes[Act on a part of a title too, if it matches exactly one; do not ask.]' \
                        '*:Episodes or feeds\: ids, ranges of ids, indexes in the queue such as #3, '\''current'\'' for the one that plays, URLs, words of a title, playlist\:NAME or filter\:CONDITIONS; a feed means its downloaded episodes.: _podcast_names podcastctl title'
                    ;;
                history)
                    _arguments \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--after=[Show the rows that follow this one\: the key of a row in --json.]:ID: ' \
                        '--all[Also list marks, seeks and what rules queued.]'
                    ;;
                chapters)
                    _arguments \
                        '*:An episode\: its id, index in the queue such as #3, '\''current'\'', URL or words of its title.: _podcast_names podcastctl episode'
                    ;;
                transcript)
                    _arguments \
                        '--srt[Print in SubRip format (SRT).]' \
                        '*:An episode\: its id, index in the queue such as #3, '\''current'\'', URL or words of its title.: _podcast_names podcastctl episode'
                    ;;
                transcripts)
                    _arguments \
                        '*:A feed'\''s id, URL or words of its title.: _podcast_names podcastctl feed'
                    ;;
                said)
                    _arguments \
                        '--episode=[Only in this episode; its transcript is downloaded if necessary.]:EPISODE: _podcast_names podcastctl episode' \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--after=[Show the places that follow this one\: the key of a row in --json.]:ID: ' \
                        '*:Words, "phrases" and -words that must not occur, all within about a minute.: '
                    ;;
                picture)
                    _arguments \
                        '--size=[Pixels of the longer side (default\: 600). A smaller picture is not enlarged (default\: 600).]:SIZE: ' \
                        '--encoding=[ppm for uncompressed pixels, at most 480 on a side, for programs that must not decode pictures (default\: jpeg).]:jpeg|ppm:(jpeg ppm)' \
                        '*:An episode or a feed\: its id, URL or words of its title. An episode without a cover of its own has the one in its file, as far as that is on disk, else its feed'\''s.: _podcast_names podcastctl title'
                    ;;
                bookmark)
                    _arguments \
                        '--episode=[An episode\: its id, index in the queue such as #3, URL or words of its title (default\: what plays).]:EPISODE: _podcast_names podcastctl episode' \
                        '--at=[Another place\: SECONDS, M\:SS, H\:MM\:SS or 1h2m3s; with + or - relative to the position.]:TIME: ' \
                        '--skip-to=[Skip the part from the place to this time; with + relative to the place.]:SKIPTO: ' \
                        '*:What it is about.: '
                    ;;
                bookmarks)
                    if (( CURRENT == 2 )); then
                        compadd play edit remove
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            play)
                                _arguments \
                                    ':The bookmark'\''s number, see '\''podcastctl bookmarks'\''.: _podcast_names podcastctl bookmark'
                                ;;
                            edit)
                                _arguments \
                                    '--at=[Its new place; with + or - relative to the old one.]:TIME: ' \
                                    '--skip-to=[Skip the part from its place to this time; with + relative to the place.]:SKIPTO: ' \
                                    ':Its number.: _podcast_names podcastctl bookmark' \
                                    '*:Its new text (default\: the old one).: '
                                ;;
                            remove)
                                _arguments \
                                    '*:Their numbers, see '\''podcastctl bookmarks'\''.: _podcast_names podcastctl bookmark'
                                ;;
                        esac
                    fi
                    ;;
                stats)
                    _arguments \
                        '--since=[Only from this day, month or year on\: 2026-11-22, 2026-11 or 2026.]:SINCE: ' \
                        '--by=[Rows of the table (default\: feed).]:feed|month|year:(feed month year)'
                    ;;
                search)
                    _arguments \
                        '--unplayed[Not played yet.]' \
                        '--starred[Starred.]' \
                        '--downloaded[Downloaded.]' \
                        '--in-progress[Heard to 30 seconds or 1 % of the duration, and not finished.]' \
                        '--gone[No longer listed by their feed.]' \
                        '--filter=[Conditions such as '\''is\:unplayed longer\:30m'\'' or '\''is\:new or is\:starred'\'', see podcastd-rules(7).]:FILTER: _podcast_names podcastctl filter' \
                        '--order=[Sort order. Default\: best with --search, else newest.]:best|newest|oldest:(best newest oldest)' \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--after=[Show the rows that follow this one\: an episode'\''s id, or a key or next of --json.]:ID: ' \
                        '*:Words, "phrases" and word beginnings, see podcastd-search(7).: '
                    ;;
                new)
                    _arguments \
                        '--unplayed[Not played yet.]' \
                        '--starred[Starred.]' \
                        '--downloaded[Downloaded.]' \
                        '--in-progress[Heard to 30 seconds or 1 % of the duration, and not finished.]' \
                        '--gone[No longer listed by their feed.]' \
                        '--search=[Words, "phrases" and -words that must not occur, in title, notes or transcript.]:TEXT: ' \
                        '--filter=[Conditions such as '\''is\:unplayed longer\:30m'\'' or '\''is\:new or is\:starred'\'', see podcastd-rules(7).]:FILTER: _podcast_names podcastctl filter' \
                        '--order=[Sort order. Default\: best with --search, else newest.]:best|newest|oldest:(best newest oldest)' \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--after=[Show the rows that follow this one\: an episode'\''s id, or a key or next of --json.]:ID: ' \
                        '*:Only of this feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                    ;;
                playlists)
                    _arguments
                    ;;
                playlist)
                    _arguments \
                        '--search=[Words, "phrases" and -words that must not occur, in title, notes or transcript.]:TEXT: ' \
                        '--filter=[Conditions such as '\''is\:unplayed longer\:30m'\'' or '\''is\:new or is\:starred'\'', see podcastd-rules(7).]:FILTER: _podcast_names podcastctl filter' \
                        '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                        '--order=[Which episodes come first (default\: newest).]:newest|oldest:(newest oldest)' \
                        '--after=[Show the rows that follow this one\: an episode'\''s id, or a key or next of --json.]:ID: ' \
                        ':Name of the playlist, see '\''podcastctl playlists'\''.: _podcast_names podcastctl playlist' \
                        '::save or remove; without it the playlist is shown.:(save remove)' \
                        '*:Conditions and words to save, see podcastd-rules(7).: _podcast_names podcastctl filter'
                    ;;
                rules)
                    if (( CURRENT == 2 )); then
                        compadd try apply
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            try)
                                _arguments \
                                    '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                                    '--after=[Show the rows that follow this one\: an episode'\''s id, or a key or next of --json.]:ID: ' \
                                    '*:Only of this feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                                ;;
                            apply)
                                _arguments \
                                    '*:Only of this feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                                ;;
                        esac
                    fi
                    ;;
                rule)
                    if (( CURRENT == 2 )); then
                        compadd add set remove move
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            add)
                                _arguments \
                                    '--feed=[Only for this feed\: its id, URL or words of its title.]:FEED: _podcast_names podcastctl feed' \
                                    '*:Conditions, then, and an action\: '\''type\:trailer then skip'\''.: '
                                ;;
                            set)
                                _arguments \
                                    ':The rule'\''s number in '\''podcastctl rules'\''.: ' \
                                    '*:Conditions, then, and an action\: '\''type\:trailer then skip'\''.: '
                                ;;
                            remove)
                                _arguments \
                                    ':The rule'\''s number in '\''podcastctl rules'\''.: '
                                ;;
                            move)
                                _arguments \
                                    ':The rule'\''s number in '\''podcastctl rules'\''.: ' \
                                    ':Its new place, from 1; a place after the last rule means the end.: '
                                ;;
                        esac
                    fi
                    ;;
                retention)
                    if (( CURRENT == 2 )); then
                        compadd set try
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            set)
                                _arguments \
                                    '--feed=[Only of this feed\: its id, URL or words of its title.]:FEED: _podcast_names podcastctl feed' \
                                    '--try[Show which episodes the policy would hide; set nothing.]' \
                                    '*:One or more of newest\:N, for\:AGE, until\:played; or all (keep everything); or off (remove the policy).: '
                                ;;
                            try)
                                _arguments \
                                    '--limit=[Show at most N rows, or all (default\: 50).]:N: ' \
                                    '--after=[Show the episodes that follow the one with this id.]:ID: ' \
                                    '*:Only of this feed\: its id, URL or words of its title.: _podcast_names podcastctl feed'
                                ;;
                        esac
                    fi
                    ;;
                status)
                    _arguments \
                        '-f[Keep showing changes until interrupted.]' '--follow[Keep showing changes until interrupted.]' \
                        '--plain[One change per line, without columns, redrawing or colour.]' \
                        '--stats[Also show counters since the daemon started.]'
                    ;;
                activities)
                    _arguments
                    ;;
                outputs)
                    _arguments
                    ;;
                output)
                    if (( CURRENT == 2 )); then
                        compadd enable disable
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            enable)
                                _arguments \
                                    ':The output'\''s name.: _podcast_names podcastctl output'
                                ;;
                            disable)
                                _arguments \
                                    ':The output'\''s name.: _podcast_names podcastctl output'
                                ;;
                        esac
                    fi
                    ;;
                settings)
                    _arguments \
                        '--reset[Reset KEY to the value of the config file, or to its default.]' \
                        '::Name of the setting (default\: all).: _podcast_names podcastctl setting' \
                        '::The new value; without it the setting is shown.: _podcast_names podcastctl setting-value'
                    ;;
                backup)
                    _arguments
                    ;;
                metrics)
                    _arguments
                    ;;
                doctor)
                    _arguments
                    ;;
                commands)
                    _arguments
                    ;;
                version)
                    _arguments
                    ;;
                help)
                    _arguments \
                        '*:Name of the command (default\: all).: _podcast_names podcastctl command'
                    ;;
                completion)
                    _arguments \
                        ':bash, zsh or fish.:(bash zsh fish)'
                    ;;
            esac ;;
    esac
}

_podcastctl "$@"
