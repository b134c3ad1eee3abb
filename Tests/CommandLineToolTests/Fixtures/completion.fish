# fish completion for pod-example; made from its declaration
complete -c pod-example -f
complete -c pod-example -l data-dir -x -a '(__fish_complete_directories)' -d 'Where the library is.'
complete -c pod-example -l json -d 'Print JSON.'
complete -c pod-example -l help -s h -d 'Show this help and exit.'
complete -c pod-example -l version -s V -d 'Show the version and exit.'
complete -c pod-example -n __fish_use_subcommand -a refresh -d 'Fetch what is due.'
complete -c pod-example -n __fish_use_subcommand -a import -d 'Read a list.'
complete -c pod-example -n __fish_use_subcommand -a seek -d 'Go somewhere.'
complete -c pod-example -n __fish_use_subcommand -a output -d 'Switch an output on.'
complete -c pod-example -n '__fish_seen_subcommand_from refresh' -l jobs -s j -x -d 'Fetch at most N at once.'
complete -c pod-example -n '__fish_seen_subcommand_from refresh' -l force -s f -d 'Also what is not due.'
complete -c pod-example -n '__fish_seen_subcommand_from refresh' -l skip -x -d 'Not this one.'
complete -c pod-example -n '__fish_seen_subcommand_from import' -F
complete -c pod-example -n '__fish_seen_subcommand_from output; and not __fish_seen_subcommand_from enable level' -a enable -d 'Switch an output on.'
complete -c pod-example -n '__fish_seen_subcommand_from output; and not __fish_seen_subcommand_from enable level' -a level -d 'Set an output\'s level.'
complete -c pod-example -n '__fish_seen_subcommand_from output; and __fish_seen_subcommand_from level' -a 'low high'
