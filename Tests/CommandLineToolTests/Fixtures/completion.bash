# bash completion for pod-example; made from its declaration
_pod_example() {
    local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
    local command="" index=1 place=0 options="" words=""
    COMPREPLY=()
    case "$previous" in
        --data-dir) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return ;;
        --jobs|-j) :; return ;;
        --skip) :; return ;;
    esac
    while [ "$index" -lt "$COMP_CWORD" ]; do
        case "${COMP_WORDS[index]}" in
            --data-dir|--jobs|-j|--skip) index=$((index+1)) ;;
            -*) ;;
            *)
                place=$((place+1))
                if [ "$place" -eq 1 ]; then command="${COMP_WORDS[index]}"
                elif [ "$place" -eq 2 ]; then
                    case "$command ${COMP_WORDS[index]}" in
                        'output enable') command='output enable'; place=1 ;;
                        'output level') command='output level'; place=1 ;;
                    esac
                fi ;;
        esac
        index=$((index+1))
    done
    options='--data-dir --json --help --version'
    case "$command:$place" in
        :0) words='refresh import seek output' ;;
        output:1) words='enable level' ;;
        'import':1) case "$word" in -*) ;; *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;; esac ;;
        'output level':1) case "$word" in -*) ;; *) COMPREPLY=($(compgen -W 'low high' -- "$word")); return ;; esac ;;
    esac
    case "$command" in
        'refresh') options="$options --jobs --force --skip" ;;
    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    esac
}
complete -F _pod_example pod-example
