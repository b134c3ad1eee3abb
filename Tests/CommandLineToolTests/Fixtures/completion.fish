# fish completion for pod-example
function __pod_example
    set -l word (commandline -ct)
    set word (string unescape -- $word; or string unescape -- $word"'"; or string unescape -- $word'"'; or echo -- $word)
    set -l before (commandline -opc)
    set -e before[1]
    set -l found (pod-example --complete $before "$word" 2>/dev/null)
    switch "$found[1]"
        case ':file*'
            __fish_complete_path "$word"
        case ':folder*'
            __fish_complete_directories "$word"
        case '*'
            printf '%s\n' $found
    end
end
complete -c pod-example -f -a '(__pod_example)'
