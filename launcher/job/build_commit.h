// The commit that this program was built from: "463d4ac", with "+" behind it where files had been changed since;
// "unknown" where it was built from no repository. The build writes it anew whenever it is another.
#pragma once

namespace tacit::launcher {

const char* build_commit();

}  // namespace tacit::launcher
