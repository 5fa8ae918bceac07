#include "bench/trainer/trainer_report.h"

namespace tacit::bench {

namespace {

constexpr std::int64_t kHeaderBytes = 66;  // Ethernet, IP and TCP with time stamps

}  // namespace

launcher::Json to_json(const TrainerReport& report, const TrainerOptions& options) {
  using launcher::Json;
  Json json = {{"way", options.way},
               {"rank", report.rank},
               {"ranks", report.ranks},
               {"batch", options.batch},
               {"micro_batches", options.micro_batches},
               {"bucket_bytes", options.bucket_bytes},
               {"fraction_bits", options.fraction_bits},
               {"batch_norm", options.batch_norm},
               {"rate", options.rate},
               {"seed", options.seed},
               {"staleness", options.staleness},
               {"threads", options.threads},
               {"parameters", report.parameters},
               {"digest", report.digest},
               {"iterations", Json::array()},
               {"losses", Json::array()},
               {"epochs", Json::array()}};
  for (const auto& one : report.iterations) {
    json["iterations"].push_back({{"seconds", one.seconds},
                                  {"computing", one.computing},
                                  {"waiting", one.waiting},
                                  {"hidden", one.hidden},
                                  {"communicating", one.communicating}});
  }
  for (const auto& one : report.losses) json["losses"].push_back({{"iteration", one.iteration}, {"loss", one.loss}});
  for (const auto& one : report.epochs) {
    Json& epoch = json["epochs"].emplace_back(Json{{"epoch", one.epoch}, {"train_loss", one.train_loss}});
    if (one.tested == 0) continue;
    epoch["test_loss"] = one.test_loss;
    epoch["correct"] = one.correct;
    epoch["tested"] = one.tested;
  }
  json["wall_seconds"] = report.usage.seconds;
  json["cpu_seconds"] = report.usage.cpu_seconds;
  json["resident_bytes"] = report.usage.peak_memory;
  const net::PeerTraffic& traffic = report.traffic;
  json["bytes_sent"] = traffic.wire_sent + kHeaderBytes * traffic.packets_sent;
  json["bytes_received"] = traffic.wire_received + kHeaderBytes * traffic.packets_received;
  json["packets_sent"] = traffic.packets_sent;
  json["packets_received"] = traffic.packets_received;
  json["oldest_step"] = report.oldest_step;
  if (report.diverged > 0) json["diverged"] = report.diverged;
  return json;
}

}  // namespace tacit::bench
