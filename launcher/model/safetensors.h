// write_safetensors — a model in the format safetensors: 8 bytes with the length of a JSON header,
// the header with type, shape and place of each array, then the arrays, little-endian.
//
// The arrays have their names in model.npz. The header's __metadata__ has the description of the
// model as JSON text under the key `tacit`.
#pragma once

#include <filesystem>

#include "launcher/model/described_model.h"

namespace tacit::launcher {

// Replaces `path` as a whole or not at all. Only its owner may read the file. Throws ConfigError.
void write_safetensors(const std::filesystem::path& path, const DescribedModel& model);

}  // namespace tacit::launcher
