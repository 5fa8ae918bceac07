// train — trains VGG-11 on a rank's pictures by SGD, and measures.
#pragma once

#include <functional>
#include <string>

#include "bench/data/pictures.h"
#include "bench/trainer/trainer_options.h"
#include "bench/trainer/trainer_report.h"
#include "net/mesh.h"

namespace tacit::bench {

// `mesh` is null for one process. `say` gets a line for each 20 iterations and each epoch. Throws ConfigError for settings
// that fit neither the pictures nor the ranks, Diverged (diverged.h) if the loss is not finite or a gradient is beyond fixed
// point, and NetError and ProtocolError of the mesh.
TrainerReport train(const TrainerOptions& options, const gnn::PictureSets& pictures, net::Mesh* mesh,
                    const std::function<void(const std::string&)>& say);

}  // namespace tacit::bench
