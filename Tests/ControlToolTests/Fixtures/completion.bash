# bash completion for podcastctl; made from its declaration
_podcast_names() {
    local name char plain="" before="" quote="" index=0
    while [ "$index" -lt "${#word}" ]; do
        char="${word:index:1}"
        case "$quote$char" in
            \\|\"\\) index=$((index+1)); plain+="${word:index:1}" ;;
            \'|\") [ "${plain: -1}" != '$' ] || return; quote="$char"; before="$plain" ;;
            \'\'|\"\") quote="" ;;
            *) plain+="$char" ;;
        esac
        index=$((index+1))
    done
    while IFS=$'\t' read -r name _; do
        if [ -z "$quote" ]; then
            printf -v name %q "$name"
        else
            [ "${name:0:${#before}}" = "$before" ] || continue
            name="${name:${#before}}"
        fi
        case "$quote" in
            \') name="${name//\'/\'\\\'\'}" ;;
            \") name="${name//\\/\\\\}"; name="${name//\"/\\\"}"; name="${name//\$/\\\$}"
                name="${name//\`/\\\`}"; name="${name//!/\"\'!\'\"}" ;;
        esac
        COMPREPLY+=("$name")
    done < <("$1" complete "$2" -- "$plain" "$previous" 2>/dev/null)
    if [ -z "$quote" ] && [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]]; then
        before="${word%"${word##*:}"}"
        for index in "${!COMPREPLY[@]}"; do COMPREPLY[index]="${COMPREPLY[index]#"$before"}"; done
    fi
    [[ "${COMPREPLY[*]}" != *: ]] || compopt -o nospace 2>/dev/null
}
_podcastctl() {
    local rest="${COMP_LINE:0:${COMP_POINT:-0}}" index=0 last=-1 part gap
    local -a typed=()
    while [ "$index" -le "$COMP_CWORD" ]; do
        part="${COMP_WORDS[index]}"; gap="$rest"
        if [ -n "$part" ]; then gap="${rest%%"$part"*}"; rest="${rest#"$gap$part"}"; fi
        if [ -z "$gap" ] && [ "$last" -ge 0 ] && [[ "$part" == :* || "${typed[last]}" == *: ]]; then
            typed[last]+="$part"
        else
            typed+=("$part"); last=$((last+1))
        fi
        index=$((index+1))
    done
    local word="${typed[last]}" previous="${typed[last-1]}"
    local command="" place=0 options="" words=""
    COMPREPLY=(); index=1
    case "$previous" in
        --socket) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
        --format) :; return ;;
        --position) :; return ;;
        --said) :; return ;;
        --said) :; return ;;
        --volume) :; return ;;
        --at) :; return ;;
        --limit) :; return ;;
        --limit) :; return ;;
        --tag) _podcast_names podcastctl tag; return ;;
        --user-agent) :; return ;;
        --user) :; return ;;
        --password-file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
        --url) :; return ;;
        --tag) _podcast_names podcastctl tag; return ;;
        --limit) :; return ;;
        --from) COMPREPLY=($(compgen -W 'opml feed state gpodder castero newsboat antennapod' -- "$word")); return ;;
        --url) :; return ;;
        --search) :; return ;;
        --filter) _podcast_names podcastctl filter; return ;;
        --order) COMPREPLY=($(compgen -W 'best newest oldest' -- "$word")); return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --older-than) _podcast_names podcastctl episode; return ;;
        --limit) :; return ;;
        --to) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --episode) _podcast_names podcastctl episode; return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --size) :; return ;;
        --encoding) COMPREPLY=($(compgen -W 'jpeg ppm' -- "$word")); return ;;
        --episode) _podcast_names podcastctl episode; return ;;
        --at) :; return ;;
        --skip-to) :; return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --at) :; return ;;
        --skip-to) :; return ;;
        --since) :; return ;;
        --by) COMPREPLY=($(compgen -W 'feed month year' -- "$word")); return ;;
        --filter) _podcast_names podcastctl filter; return ;;
        --order) COMPREPLY=($(compgen -W 'best newest oldest' -- "$word")); return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --search) :; return ;;
        --filter) _podcast_names podcastctl filter; return ;;
        --order) COMPREPLY=($(compgen -W 'best newest oldest' -- "$word")); return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --search) :; return ;;
        --filter) _podcast_names podcastctl filter; return ;;
        --limit) :; return ;;
        --order) COMPREPLY=($(compgen -W 'newest oldest' -- "$word")); return ;;
        --after) :; return ;;
        --rule) :; return ;;
        --feed) _podcast_names podcastctl feed; return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --feed) _podcast_names podcastctl feed; return ;;
        --limit) :; return ;;
        --after) :; return ;;
        --output) :; return ;;
    esac
    while [ "$index" -lt "$last" ]; do
        case "${typed[index]}" in
            --socket|--format|--position|--said|--volume|--at|--limit|--tag|--user-agent|--user|--password-file|--url|--from|--search|--filter|--order|--after|--older-than|--to|--episode|--size|--encoding|--skip-to|--since|--by|--rule|--feed|--output) index=$((index+1)) ;;
            -*) ;;
            *)
                place=$((place+1))
                if [ "$place" -eq 1 ]; then command="${typed[index]}"
                elif [ "$place" -eq 2 ]; then
                    case "$command ${typed[index]}" in
                        'feeds merge') command='feeds merge'; place=1 ;;
                        'bookmarks play') command='bookmarks play'; place=1 ;;
                        'bookmarks edit') command='bookmarks edit'; place=1 ;;
                        'bookmarks remove') command='bookmarks remove'; place=1 ;;
                        'rule add') command='rule add'; place=1 ;;
                        'rule set') command='rule set'; place=1 ;;
                        'rule remove') command='rule remove'; place=1 ;;
                        'rule move') command='rule move'; place=1 ;;
                        'rules try') command='rules try'; place=1 ;;
                        'rules apply') command='rules apply'; place=1 ;;
                        'retention set') command='retention set'; place=1 ;;
                        'retention try') command='retention try'; place=1 ;;
                        'output enable') command='output enable'; place=1 ;;
                        'output disable') command='output disable'; place=1 ;;
                    esac
                fi ;;
        esac
        index=$((index+1))
    done
    options='--socket --json --format --quiet --utc --no-color --no-pager --help --version'
    case "$command:$place" in
        :0) words='play pause toggle stop next previous seek chapter volume speed undo redo sleep announce queue add insert remove move clear crop shuffle feeds feed subscribe unsubscribe refresh explain set find import export episodes show mark star unstar note download downloads delete history chapters transcript transcripts said picture bookmark bookmarks stats search new playlists playlist rules rule retention status activities outputs output settings backup metrics doctor commands version help completion' ;;
        feeds:1) words='merge' ;;
        bookmarks:1) words='play edit remove' ;;
        rules:1) words='try apply' ;;
        rule:1) words='add set remove move' ;;
        retention:1) words='set try' ;;
        output:1) words='enable disable' ;;
        'play':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'chapter':*) case "$word" in -*) ;; *) _podcast_names podcastctl chapter; return ;; esac ;;
        'sleep':1) case "$word" in -*) ;; *) _podcast_names podcastctl sleep; return ;; esac ;;
        'add':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'insert':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'remove':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'move':1) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'feed':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'unsubscribe':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'refresh':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'feeds merge':1) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'feeds merge':2) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'explain':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'set':1) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'set':2) case "$word" in -*) ;; *) _podcast_names podcastctl feed-setting; return ;; esac ;;
        'set':3) case "$word" in -*) ;; *) _podcast_names podcastctl feed-value; return ;; esac ;;
        'import':1) case "$word" in -*) ;; *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;; esac ;;
        'episodes':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'show':*) case "$word" in -*) ;; *) _podcast_names podcastctl episode; return ;; esac ;;
        'mark':1) case "$word" in -*) ;; *) COMPREPLY=($(compgen -W 'played unplayed' -- "$word")); return ;; esac ;;
        'mark':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'star':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'unstar':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'note':1) case "$word" in -*) ;; *) _podcast_names podcastctl episode; return ;; esac ;;
        'download':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'delete':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'chapters':*) case "$word" in -*) ;; *) _podcast_names podcastctl episode; return ;; esac ;;
        'transcript':*) case "$word" in -*) ;; *) _podcast_names podcastctl episode; return ;; esac ;;
        'transcripts':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'picture':*) case "$word" in -*) ;; *) _podcast_names podcastctl title; return ;; esac ;;
        'bookmarks':*) case "$word" in -*) ;; *) _podcast_names podcastctl episode; return ;; esac ;;
        'bookmarks play':1) case "$word" in -*) ;; *) _podcast_names podcastctl bookmark; return ;; esac ;;
        'bookmarks edit':1) case "$word" in -*) ;; *) _podcast_names podcastctl bookmark; return ;; esac ;;
        'bookmarks remove':*) case "$word" in -*) ;; *) _podcast_names podcastctl bookmark; return ;; esac ;;
        'new':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'playlist':1) case "$word" in -*) ;; *) _podcast_names podcastctl playlist; return ;; esac ;;
        'playlist':2) case "$word" in -*) ;; *) COMPREPLY=($(compgen -W 'save remove' -- "$word")); return ;; esac ;;
        'playlist':*) case "$word" in -*) ;; *) _podcast_names podcastctl filter; return ;; esac ;;
        'rules':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'rules try':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'rules apply':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'retention try':*) case "$word" in -*) ;; *) _podcast_names podcastctl feed; return ;; esac ;;
        'output enable':1) case "$word" in -*) ;; *) _podcast_names podcastctl output; return ;; esac ;;
        'output disable':1) case "$word" in -*) ;; *) _podcast_names podcastctl output; return ;; esac ;;
        'settings':1) case "$word" in -*) ;; *) _podcast_names podcastctl setting; return ;; esac ;;
        'settings':2) case "$word" in -*) ;; *) _podcast_names podcastctl setting-value; return ;; esac ;;
        'help':*) case "$word" in -*) ;; *) _podcast_names podcastctl command; return ;; esac ;;
        'completion':1) case "$word" in -*) ;; *) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;; esac ;;
    esac
    case "$command" in
        'play') options="$options --position --said --oldest-first --newest-first --then-queue --wait" ;;
        'seek') options="$options --said" ;;
        'undo') options="$options --list --yes" ;;
        'announce') options="$options --volume" ;;
        'add') options="$options --at --limit --again --next" ;;
        'insert') options="$options --limit --again" ;;
        'feeds') options="$options --tag" ;;
        'subscribe') options="$options --user-agent --user --password-file --url" ;;
        'unsubscribe') options="$options --yes" ;;
        'refresh') options="$options --force --tag" ;;
        'feeds merge') options="$options --yes" ;;
        'set') options="$options --reset" ;;
        'find') options="$options --limit" ;;
        'import') options="$options --from --url" ;;
        'export') options="$options --state" ;;
        'episodes') options="$options --unplayed --starred --downloaded --in-progress --gone --search --filter --order --limit --after" ;;
        'show') options="$options --html" ;;
        'mark') options="$options --older-than" ;;
        'download') options="$options --limit --wait --to" ;;
        'downloads') options="$options --limit --after" ;;
        'delete') options="$options --yes" ;;
        'history') options="$options --limit --after --all" ;;
        'transcript') options="$options --srt" ;;
        'said') options="$options --episode --limit --after" ;;
        'picture') options="$options --size --encoding" ;;
        'bookmark') options="$options --episode --at --skip-to" ;;
        'bookmarks') options="$options --limit --after" ;;
        'bookmarks edit') options="$options --at --skip-to" ;;
        'stats') options="$options --since --by" ;;
        'search') options="$options --unplayed --starred --downloaded --in-progress --gone --filter --order --limit --after" ;;
        'new') options="$options --unplayed --starred --downloaded --in-progress --gone --search --filter --order --limit --after" ;;
        'playlist') options="$options --search --filter --limit --order --after" ;;
        'rule add') options="$options --feed" ;;
        'rules try') options="$options --limit --after" ;;
        'retention set') options="$options --feed --try" ;;
        'retention try') options="$options --limit --after" ;;
        'status') options="$options --follow --plain --stats" ;;
        'settings') options="$options --reset" ;;
    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    esac
}
complete -F _podcastctl podcastctl
