import Glibc
import RefreshTool

exit(RefreshCommands.main())
