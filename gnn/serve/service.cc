#include "gnn/serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "gnn/serve/turns.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/note_seen.h"
#include "net/byte_fields.h"
#include "net/collectives/collectives.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kVerdictBytes = 3 * sizeof(std::uint64_t) + sizeof(mpc::Digest);  // without the objections
constexpr std::uint64_t kMostLimit = 1'000'000, kMostWait = 60;

// The decision of one party about a turn.
struct Verdict {
  mpc::Digest turn{};
  RequestLimits limits;
  std::int64_t wait = 0;  // seconds
  std::vector<Objection> objections;
};

std::vector<std::byte> bytes_of(const Verdict& verdict) {
  net::ByteWriter writer;
  writer.raw(verdict.turn);
  for (const std::int64_t number :
       {verdict.limits.requests_per_minute, verdict.limits.nodes_per_request, verdict.wait}) {
    writer.number(static_cast<std::uint64_t>(number));
  }
  for (const Objection one : verdict.objections) writer.number(static_cast<std::uint8_t>(one));
  return writer.take();
}

Verdict verdict_in(std::span<const std::byte> bytes, std::size_t requests) {
  net::ByteReader reader(bytes, "a party's answer to requests");
  Verdict verdict;
  const std::span<const std::byte> turn = reader.raw(verdict.turn.size());
  std::copy(turn.begin(), turn.end(), verdict.turn.begin());
  const auto number = [&](std::uint64_t least, std::uint64_t most) {
    const auto found = reader.number<std::uint64_t>();
    reader.require(found >= least && found <= most, "a number in it cannot be");
    return static_cast<std::int64_t>(found);
  };
  verdict.limits.requests_per_minute = number(1, kMostLimit);
  verdict.limits.nodes_per_request = number(1, kMostLimit);
  verdict.wait = number(0, kMostWait);
  for (std::size_t i = 0; i < requests; ++i) {
    const auto objection = reader.number<std::uint8_t>();
    reader.require(objection <= static_cast<std::uint8_t>(Objection::kTooManyNodes), "an objection in it is unknown");
    verdict.objections.push_back(static_cast<Objection>(objection));
  }
  reader.finish();
  return verdict;
}

Reply refusal(int rank, const Verdict& verdict, Objection objection, std::size_t nodes, std::string_view subject) {
  Reply reply{.kind = Reply::Kind::kRefused, .objection = objection};
  if (objection == Objection::kTooManyNodes) {
    reply.why = fmt::format(
        "rank {0} takes part in requests for at most {1} {2}s (serve.nodes_per_request there), and this request names "
        "{3}: ask for fewer {2}s at a time",
        rank, verdict.limits.nodes_per_request, subject, nodes);
    return reply;
  }
  reply.again_after = std::max<std::int64_t>(verdict.wait, 1);
  reply.why = fmt::format(
      "rank {} takes part in at most {} requests of one rank in a minute (serve.requests_per_minute there): ask again "
      "in {} s",
      rank, verdict.limits.requests_per_minute, reply.again_after);
  return reply;
}

std::optional<Matrix> rows_in(const std::optional<Matrix>& all, const Rows& places) {
  if (!all) return std::nullopt;
  Matrix some(std::ssize(places), all->cols());
  for (std::size_t i = 0; i < places.size(); ++i) some.row(static_cast<Eigen::Index>(i)) = all->row(places[i]);
  return some;
}

// The places of `nodes` in `among`, which is ascending and has all these nodes.
Rows places_of(const Rows& nodes, const Rows& among) {
  Rows places;
  for (const std::int64_t node : nodes) {
    places.push_back(std::lower_bound(among.begin(), among.end(), node) - among.begin());
  }
  return places;
}

// Answers turns at one party. The dealer waits for the end alone.
class Serving {
 public:
  Serving(net::Mesh& mesh, mpc::Session& session, const TrainingPlan& plan, std::int64_t nodes, Predictor& predictor,
          const OncePerName& once, const ServiceOptions& options)
      : mesh_(mesh),
        session_(session),
        plan_(plan),
        nodes_(nodes),
        predictor_(predictor),
        options_(options),
        shared_(predictor.share_predictions(once)),
        limiter_(options.limits, mesh.parties()) {
    if (mesh.world().is_party()) group_.emplace(mesh);
  }

  Served until_the_end() {
    mesh_.set_step("serving");
    Turns turns(mesh_, options_.quiet);
    try {
      options_.desk->open(
          {[&](const auto& requests) { turns.ask(requests); }, [&](auto reason) { turns.stop(reason); }});
      if (options_.on_open) options_.on_open();
      ServiceMessage turn = turns.next();
      for (; turn.kind == ServiceMessage::Kind::kRequests; turn = turns.next()) answer(turn);
      served_.ended_by = turn.rank;
      served_.reason = turn.reason;
      options_.desk->end(fmt::format("rank {} has ended the service: ask again when it is started again", turn.rank));
      turns.close();
    } catch (const std::exception& error) {
      options_.desk->end(
          fmt::format("the service has ended: {}", reason_for_others(error)));  // clients of other users, too
      mesh_.abort(exit_of(error), reason_for_others(error), -1);                // ends the threads of `turns`
      throw;
    }
    return served_;
  }

 private:
  void answer(const ServiceMessage& turn) {
    expect_possible(turn);
    served_.cost += cost_of_turn(turn, mesh_.parties(), mesh_.rank());
    if (mesh_.parties() > 1) mesh_.count_rounds(turn.rank == 0 ? 1 : 2);
    session_.begin_part("answering requests");
    const std::vector<Verdict> verdicts = verdicts_on(turn);
    AskedTurn asked{turn.rank, turn.requests, {}, {}};
    std::vector<std::optional<Reply>> refusals;
    Rows granted;
    std::int64_t answered = 0;
    for (std::size_t i = 0; i < turn.requests.size(); ++i) {
      const auto objects = [i](const Verdict& one) { return one.objections[i] != Objection::kNone; };
      const auto first = std::find_if(verdicts.begin(), verdicts.end(), objects);
      const int by = first == verdicts.end() ? -1 : static_cast<int>(first - verdicts.begin());
      asked.refused_by.push_back(by);
      asked.objections.push_back(by < 0 ? Objection::kNone : first->objections[i]);
      refusals.emplace_back();
      if (by >= 0) {
        refusals.back() = refusal(by, *first, first->objections[i], turn.requests[i].size(),
                                  subject_name(plan_.model.pools(), plan_.model.pairs()));
        continue;
      }
      ++answered;
      granted.insert(granted.end(), turn.requests[i].begin(), turn.requests[i].end());
    }
    limiter_.count(turn.rank, answered, RequestLimiter::Clock::now());
    served_.nodes += std::ssize(granted);
    ++served_.turns;
    served_.requests += answered;
    served_.refused += std::ssize(turn.requests) - answered;
    if (options_.on_turn) options_.on_turn(asked);
    std::sort(granted.begin(), granted.end());
    granted.erase(std::unique(granted.begin(), granted.end()), granted.end());
    Predictions predictions;
    // A reveal compares the transcripts as well. A party that received other objections may take the other branch here. The
    // tags are the first message in both branches, so both parties find the difference.
    if (granted.empty()) {
      mpc::compare_transcripts(session_);
    } else {
      predictions = predictor_.reveal_rows(shared_, granted, turn.rank);
    }
    session_.end_part();
    if (turn.rank == mesh_.rank()) reply(turn, predictions, granted, std::move(refusals));
  }

  void reply(const ServiceMessage& turn, const Predictions& predictions, const Rows& granted,
             std::vector<std::optional<Reply>> refusals) {
    std::vector<Reply> replies;
    for (std::size_t i = 0; i < turn.requests.size(); ++i) {
      if (refusals[i]) {
        replies.push_back(std::move(*refusals[i]));
        continue;
      }
      const Rows places = places_of(turn.requests[i], granted);
      replies.push_back(
          {.predictions = {rows_in(predictions.values, places), rows_in(predictions.probabilities, places)}});
    }
    options_.desk->settle(std::move(replies));
  }

  // A rank that checks its own requests cannot send these.
  void expect_possible(const ServiceMessage& turn) const {
    const auto refuse = [&](const std::string& why) {
      throw ProtocolError(fmt::format("rank {} asks for predictions {}", turn.rank, why), turn.rank);
    };
    if (turn.rank >= mesh_.parties() || !tells_predictions_to(plan_, turn.rank)) {
      refuse("that the job does not reveal to it");
    }
    for (const Rows& request : turn.requests) {
      if (*std::max_element(request.begin(), request.end()) >= nodes_) {
        refuse(
            fmt::format("of a {} that the data do not have", subject_name(plan_.model.pools(), plan_.model.pairs())));
      }
    }
    if (turn.rank == mesh_.rank() && turn.requests != options_.desk->batch()) {
      throw ProtocolError(fmt::format("rank 0 announced requests of rank {} that this rank did not make", turn.rank),
                          0);
    }
  }

  std::vector<Verdict> verdicts_on(const ServiceMessage& turn) {
    std::vector<std::int64_t> sizes;
    for (const Rows& request : turn.requests) sizes.push_back(std::ssize(request));
    const auto now = RequestLimiter::Clock::now();
    Verdict own{digest_of(turn), limiter_.limits(), 0, limiter_.judge(turn.rank, sizes, now)};
    const auto granted = std::count(own.objections.begin(), own.objections.end(), Objection::kNone);
    own.wait = limiter_.seconds_to_wait(turn.rank, granted, now);
    std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(mesh_.parties()), bytes_of(own));
    net::all_gather(*group_, std::vector<net::Bytes>(all.begin(), all.end()));
    std::vector<Verdict> verdicts;
    std::vector<std::byte> seen;
    for (const std::vector<std::byte>& bytes : all) {
      verdicts.push_back(verdict_in(bytes, turn.requests.size()));
      seen.insert(seen.end(), bytes.begin(), bytes.end());
    }
    expect_equal_turns(turn, verdicts);
    mpc::note_seen(session_, mpc::digest_of(seen));
    return verdicts;
  }

  // Rank 0 relays the requests, and must send all parties the same ones: otherwise shares of different rows would be summed.
  void expect_equal_turns(const ServiceMessage& turn, const std::vector<Verdict>& verdicts) const {
    const Verdict& own = verdicts[static_cast<std::size_t>(mesh_.rank())];
    for (std::size_t rank = 0; rank < verdicts.size(); ++rank) {
      if (verdicts[rank].turn == own.turn) continue;
      throw ProtocolError(fmt::format("rank {} has other requests of rank {} than rank {} has: rank 0 sent them "
                                      "different ones, or one rank is wrong",
                                      rank, turn.rank, mesh_.rank()),
                          static_cast<int>(rank));
    }
  }

  net::Mesh& mesh_;
  mpc::Session& session_;
  const TrainingPlan& plan_;
  const std::int64_t nodes_;
  Predictor& predictor_;
  const ServiceOptions& options_;
  const SharedPredictions shared_;
  RequestLimiter limiter_;
  std::optional<net::Group> group_;
  Served served_;
};

}  // namespace

Served serve(net::Mesh& mesh, mpc::Session& session, const TrainingPlan& plan, std::int64_t nodes, Predictor& predictor,
             const OncePerName& once, const ServiceOptions& options) {
  return Serving(mesh, session, plan, nodes, predictor, once, options).until_the_end();
}

mpc::Cost cost_of_turn(const ServiceMessage& turn, int parties, int rank) {
  const std::int64_t others = parties - 1;
  if (others == 0) return {};
  mpc::Cost cost{.rounds = turn.rank == 0 ? 2 : 3,
                 .bytes = others * static_cast<std::int64_t>(kVerdictBytes + turn.requests.size()),
                 .messages = others};
  const std::int64_t copies = rank == 0 ? others : rank == turn.rank ? 1 : 0;
  cost.bytes += copies * payload_of(turn);
  cost.messages += copies * messages_of(turn);
  return cost;
}

}  // namespace tacit::gnn
