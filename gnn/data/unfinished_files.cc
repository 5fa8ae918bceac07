#include "gnn/data/unfinished_files.h"

namespace tacit::gnn {

void remove_unfinished(const std::filesystem::path& folder, const std::string& beginning) {
  constexpr std::size_t kEnding = 7;  // ".XXXXXX"
  std::error_code ignored;            // a file that stays does no harm
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("." + beginning) && name.size() > beginning.size() + kEnding &&
                      name[name.size() - kEnding] == '.';
    if (ours) std::filesystem::remove(entry.path(), ignored);
  }
}

void remove_unfinished_of(const std::filesystem::path& file) {
  remove_unfinished(file.has_parent_path() ? file.parent_path() : ".", file.filename().string());
}

}  // namespace tacit::gnn
