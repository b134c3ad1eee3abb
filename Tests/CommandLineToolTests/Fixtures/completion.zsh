#compdef pod-example
# zsh completion for pod-example; made from its declaration

_pod_example() {
    local curcontext="$curcontext" state line
    typeset -A opt_args
    _arguments -C \
        '--data-dir=[Where the library is.]:DIR:_files -/' \
        '--json[Print JSON.]' \
        '-h[Show this help and exit.]' '--help[Show this help and exit.]' \
        '-V[Show the version and exit.]' '--version[Show the version and exit.]' \
        '1:command:->command' \
        '*::argument:->argument'
    case $state in
        command)
            local -a commands=(
                'refresh:Fetch what is due.'
                'import:Read a list.'
                'seek:Go somewhere.'
                'output:Switch an output on.'
            )
            _describe command commands ;;
        argument)
            case $line[1] in
                refresh)
                    _arguments \
                        '-j[Fetch at most N at once.]:N: ' '--jobs=[Fetch at most N at once.]:N: ' \
                        '-f[Also what is not due.]' '--force[Also what is not due.]' \
                        '*--skip=[Not this one.]:FEED: ' \
                        '*:A feed'\''s id, URL or title.: '
                    ;;
                import)
                    _arguments \
                        ':What to read; it'\''s the user'\''s.:_files'
                    ;;
                seek)
                    _arguments \
                        ':Where to.: '
                    ;;
                output)
                    if (( CURRENT == 2 )); then
                        compadd enable level
                    else
                        shift words; (( CURRENT-- ))
                        case $words[1] in
                            enable)
                                _arguments \
                                    ':Its name.: '
                                ;;
                            level)
                                _arguments \
                                    ':How much\: low or high.:(low high)'
                                ;;
                        esac
                    fi
                    ;;
            esac ;;
    esac
}

_pod_example "$@"
