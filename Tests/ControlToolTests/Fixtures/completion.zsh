#compdef podcastctl
# zsh completion for podcastctl; made from its declaration

_podcastctl() {
    local curcontext="$curcontext" state line
    typeset -A opt_args
    _arguments -C \
        '--socket=[The daemon'\''s control socket.]:PATH:_files' \
        '--json[Print the reply as JSON, for scripts.]' \
        '--no-color[Disable colours and bold text.]' \
        '-h[Show this help and exit.]' '--help[Show this help and exit.]' \
        '-V[Show the version and exit.]' '--version[Show the version and exit.]' \
        '1:command:->command' \
        '*::argument:->argument'
    case $state in
        command)
            local -a commands=(
                'play:Play an episode, a feed or a URL; without one, go on where it was paused or stopped.'
                'pause:Pause.'
                'toggle:Pause when playing, else play.'
                'stop:Stop; the position is kept.'
                'next:Play the next entry of the queue.'
                'previous:Play the entry before, or this one from its beginning.'
                'seek:Go to a time, or forward and back from here.'
                'volume:Set the volume, or change it.'
                'undo:Take back the last seek, mark or edit of the queue, or what rules did.'
                'queue:Show the queue.'
                'add:Append to the queue.'
                'insert:Put into the queue after the current entry.'
                'remove:Take out of the queue.'
                'move:Move an entry to another place.'
                'clear:Empty the queue; what plays stops.'
                'shuffle:Mix what comes after the current entry.'
                'feeds:List the subscribed feeds by title.'
                'feed:Show everything about a feed.'
                'subscribe:Subscribe to feeds and fetch them.'
                'unsubscribe:Unsubscribe from feeds; their episodes, positions and queue entries go with them.'
                'refresh:Fetch the feeds that are due, or those named.'
                'set:Set one of a feed'\''s own settings.'
                'find:Look podcasts up in directories, by words of a title or a maker.'
                'import:Take over subscriptions, and what was done with their episodes.'
                'export:Print all subscriptions as OPML, or the whole state as JSON.'
                'episodes:List episodes, newest first.'
                'show:Show everything about an episode.'
                'mark:Mark episodes as played or unplayed.'
                'star:Star episodes.'
                'unstar:Take stars away.'
                'note:Write a note about an episode.'
                'download:Fetch episodes whole and keep them on disk; returns at once.'
                'delete:Take the files of episodes from the disk; the episodes stay.'
                'history:Show what was heard and marked, the latest first.'
                'transcript:Show an episode'\''s transcript; it is fetched when it is not there yet.'
                'said:Find where something is said, in the transcripts that were fetched.'
                'merges:List what was decided about the identity of episodes and was not plain, the latest first.'
                'split:Take a merge back\: what was taken for one episode is two.'
                'join:Make two episodes of a feed one.'
                'playlists:List the playlists with their lengths.'
                'playlist:Show, save or remove a playlist.'
                'rules:Show the rules in their order.'
                'rule:Add a rule for new episodes.'
                'retention:Show how much of the feeds is kept in the views.'
                'status:Show what is playing and what the daemon is doing.'
                'activities:Show what the daemon and its helpers are doing.'
                'outputs:List the outputs.'
                'output:Switch an output on.'
                'settings:Show the settings, show one, or change one.'
                'backup:Write a copy of the library beside it, while everything goes on.'
                'metrics:Print the daemon'\''s figures of itself as OpenMetrics text, for monitoring.'
                'doctor:Check that everything is as it should be, and say how to mend what is not.'
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
                        '--position=[Where to begin; the saved position unless given.]:TIME: ' \
                        '--said=[Begin where this is said, as the episode'\''s transcript has it.]:SAID: ' \
                        '::A queue index, an episode'\''s or feed'\''s id, a URL of a file or feed, or part of a title.: '
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
                        '--said=[Go to the next place where this is said, as the transcript has it; after the last to the first.]:SAID: ' \
                        '::SECONDS, M\:SS, H\:MM\:SS[.mmm] or 1h2m3s; with + or - relative to the position heard now.: '
                    ;;
                volume)
                    _arguments \
                        ':Percentage\: N, or +N / -N to change it.: '
                    ;;
                undo)
                    _arguments
                    ;;
                queue)
                    _arguments
                    ;;
                add)
                    _arguments \
                        '--at=[The index that the first of them gets; the end unless given.]:N: ' \
                        '*:Episodes or feeds\: ids, URLs or parts of titles.: '
                    ;;
                insert)
                    _arguments \
                        '*:Episodes or feeds\: ids, URLs or parts of titles.: '
                    ;;
                remove)
                    _arguments \
                        '*:Queue indexes, or URLs or parts of titles of queued episodes.: '
                    ;;
                move)
                    _arguments \
                        ':A queue index, or a URL or part of a title of a queued episode.: ' \
                        ':The index that it has afterwards.: '
                    ;;
                clear)
                    _arguments
                    ;;
                shuffle)
                    _arguments
                    ;;
                feeds)
                    _arguments
                    ;;
                feed)
                    _arguments \
                        ':A feed'\''s id, URL or part of its title.: '
                    ;;
                subscribe)
                    _arguments \
                        '*:Addresses of feeds, of web pages that name one, of lists, or links to Apple Podcasts.: '
                    ;;
                unsubscribe)
                    _arguments \
                        '*:Feeds\: ids, URLs or parts of titles.: '
                    ;;
                refresh)
                    _arguments \
                        '--force[Fetch all, due or not.]' \
                        '*:Feeds\: ids, URLs or parts of titles.: '
                    ;;
                set)
                    _arguments \
                        ':A feed'\''s id, URL or part of its title.: ' \
                        ':The setting'\''s name.: ' \
                        '::Its value; the default again unless given.: '
                    ;;
                find)
                    _arguments \
                        '--limit=[How many to list (default\: 20).]:N: ' \
                        '*:What to look for.: '
                    ;;
                import)
                    _arguments \
                        '--from=[What the document is, if not what its contents say.]:opml|state|gpodder|castero|newsboat|antennapod:(opml state gpodder castero newsboat antennapod)' \
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
                        '--downloaded[Kept on disk.]' \
                        '--in-progress[Begun and not finished.]' \
                        '--gone[Not listed by their feed any more.]' \
                        '--search=[Words, "phrases" and -words that must not occur, in title, notes or transcript.]:TEXT: ' \
                        '--filter=[Conditions such as '\''is\:unplayed longer\:30m'\'', as docs/RULES.md has them.]:FILTER: ' \
                        '--order=[Which come first; what fits --search best unless given, without it the newest.]:best|newest|oldest:(best newest oldest)' \
                        '--limit=[Rows at most (default\: 50).]:N: ' \
                        '::Of this feed only\: its id, URL or part of its title.: '
                    ;;
                show)
                    _arguments \
                        '--html[Print only the notes, as HTML.]' \
                        ':An episode'\''s id, URL or part of its title.: '
                    ;;
                mark)
                    _arguments \
                        ':played or unplayed.:(played unplayed)' \
                        '*:Episodes\: ids, URLs or parts of titles.: '
                    ;;
                star)
                    _arguments \
                        '*:Episodes\: ids, URLs or parts of titles.: '
                    ;;
                unstar)
                    _arguments \
                        '*:Episodes\: ids, URLs or parts of titles.: '
                    ;;
                note)
                    _arguments \
                        ':An episode'\''s id, URL or part of its title.: ' \
                        '*:The note; an empty one removes it.: '
                    ;;
                download)
                    _arguments \
                        '--limit=[Episodes that a feed or a playlist stands for at most (default\: 50).]:N: ' \
                        '*:Episodes or feeds\: ids, URLs or parts of titles; a feed stands for its latest unplayed ones.: '
                    ;;
                delete)
                    _arguments \
                        '*:Episodes or feeds\: ids, URLs or parts of titles; a feed stands for those that are kept.: '
                    ;;
                history)
                    _arguments \
                        '--limit=[Rows at most (default\: 50).]:N: '
                    ;;
                transcript)
                    _arguments \
                        '--srt[Print in SubRip format (SRT).]' \
                        ':An episode'\''s id, URL or part of its title.: '
                    ;;
                said)
                    _arguments \
                        '--episode=[In this episode only; its transcript is fetched if need be.]:EPISODE: ' \
                        '--limit=[Rows at most (default\: 50).]:N: ' \
                        '*:Words, "phrases" and -words that must not occur, all within about a minute.: '
                    ;;
                merges)
                    _arguments \
                        '--limit=[Rows at most (default\: 50).]:N: ' \
                        '--before=[Decided before this one, by its id.]:BEFORE: ' \
                        '::Of this feed only\: its id, URL or part of its title.: '
                    ;;
                split)
                    _arguments \
                        ':Its id, as '\''merges'\'' lists it.: '
                    ;;
                join)
                    _arguments \
                        ':The one that stays\: its id, URL or part of its title.: ' \
                        ':The one that goes\: its id, URL or part of its title.: '
                    ;;
                playlists)
                    _arguments
                    ;;
                playlist)
                    _arguments \
                        '--limit=[Rows at most (default\: 50).]:N: ' \
                        '--order=[Which come first (default\: newest).]:newest|oldest:(newest oldest)' \
                        ':Name of the playlist, see '\''podcastctl playlists'\''.: ' \
                        '::save or remove; without it the playlist is shown.:(save remove)' \
                        '*:Conditions and words to save, see podcastd-rules(7).: '
                    ;;
                rules)
                    if (( CURRENT == 2 )); then
                        compadd try apply
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            try)
                                _arguments \
                                    '--limit=[Rows at most (default\: 50).]:N: ' \
                                    '::Of this feed only\: its id, URL or part of its title.: '
                                ;;
                            apply)
                                _arguments \
                                    '::Of this feed only\: its id, URL or part of its title.: '
                                ;;
                        esac
                    fi
                    ;;
                rule)
                    if (( CURRENT == 2 )); then
                        compadd add remove move
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            add)
                                _arguments \
                                    '--feed=[For this feed only\: its id, URL or part of its title.]:FEED: ' \
                                    '*:Conditions, then, what to do\: '\''type\:trailer then skip'\''.: '
                                ;;
                            remove)
                                _arguments \
                                    ':The rule'\''s number, as `rules.list` has it.: '
                                ;;
                            move)
                                _arguments \
                                    ':The rule'\''s number, as `rules.list` has it.: ' \
                                    ':The place that it has afterwards, from 1.: '
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
                                    '--feed=[Of this feed only\: its id, URL or part of its title.]:FEED: ' \
                                    '*:newest\:10, for\:30d, until\:played, several of them, all, or off to take it back.: '
                                ;;
                            try)
                                _arguments \
                                    '--limit=[Rows at most (default\: 50).]:N: ' \
                                    '::Of this feed only\: its id, URL or part of its title.: '
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
                                    ':The output'\''s name.: '
                                ;;
                            disable)
                                _arguments \
                                    ':The output'\''s name.: '
                                ;;
                        esac
                    fi
                    ;;
                settings)
                    _arguments \
                        '--reset[Reset KEY to the value of the config file, or to its default.]' \
                        '::Name of the setting (default\: all).: ' \
                        '::The new value; without it the setting is shown.: '
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
                        '*:Name of the command (default\: all).: '
                    ;;
                completion)
                    _arguments \
                        ':bash, zsh or fish.:(bash zsh fish)'
                    ;;
            esac ;;
    esac
}

_podcastctl "$@"
