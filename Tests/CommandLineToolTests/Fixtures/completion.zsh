#compdef pod-example
# zsh completion for pod-example
_pod_example() {
    local line
    local -a names=() texts=() open=()
    for line in "${(@f)$(pod-example --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case "${line%%$'\t'*}" in
            :file) _files ;;
            :folder) _files -/ ;;
            *:) open+=("${line%%$'\t'*}") ;;
            ?*) names+=("${line%%$'\t'*}"); texts+=("${line/$'\t'/  }") ;;
        esac
    done
    compadd -U -S '' -- "${(@)open}"
    compadd -U -l -d texts -- "${(@)names}"
}

_pod_example "$@"
