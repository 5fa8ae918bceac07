// The commit from which this program was built: "463d4ac"; "463d4ac+" if files had changed since; "unknown" if it was
// built outside a repository. The build updates it with every new commit.
#pragma once

namespace tacit::launcher {

const char* build_commit();

}  // namespace tacit::launcher
