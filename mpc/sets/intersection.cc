#include "mpc/sets/intersection.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "mpc/kernels/workers.h"
#include "mpc/sealed/storage_key.h"
#include "mpc/sets/ristretto.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

using Points = std::vector<Point>;
using Positions = std::vector<std::uint32_t>;
static_assert(kMostTexts <= std::numeric_limits<std::uint32_t>::max());

constexpr std::size_t kBlockBytes = std::size_t{512} << 10;  // size of a block of a message
constexpr std::size_t kBlock = kBlockBytes / sizeof(Point);
constexpr std::int64_t kGrain = 64;  // points that a thread takes at once

// A uniform order of 0 ... size-1, by Fisher and Yates.
Positions shuffled(std::size_t size) {
  Positions order(size);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  for (std::size_t i = size; i > 1; --i) {
    std::swap(order[i - 1], order[randombytes_uniform(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

class Intersecting {
 public:
  Intersecting(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options)
      : mesh_(mesh), group_(mesh), texts_(texts), options_(options), workers_(options.threads), n_(mesh.parties()) {}

  Intersection run() {
    agree_on_sizes_and_key();
    Intersection found;
    found.counts = counts_;
    if (n_ == 1) {
      for (std::size_t i = 0; i < texts_.size(); ++i) found.own.push_back(static_cast<std::int64_t>(i));
      return found;
    }
    const Finished finished = pass_round();
    const Points common = agreed(filtered(finished));
    const Positions own = own_positions(found_in(finished, common));
    found.own.assign(own.begin(), own.end());
    return found;
  }

 private:
  // The finished list of the right neighbour, sorted, with the earlier position of each point.
  struct Finished {
    Points points;
    Positions from;
  };

  int left() const { return group_.neighbour(-1); }
  int right() const { return group_.neighbour(1); }
  std::size_t count_of(int rank) const { return static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank)]); }

  [[noreturn]] static void deviates(int rank, std::string_view what) {
    throw ProtocolError(fmt::format("rank {} {}", rank, what), rank);
  }

  void agree_on_sizes_and_key() {
    TACIT_CHECK(sodium_init() >= 0);
    mesh_.set_step("common ids: agreeing on sizes");
    struct Said {
      std::int64_t count;
      std::array<std::byte, 32> fresh;
    };
    std::vector<Said> said(static_cast<std::size_t>(n_));
    Said& own = said[static_cast<std::size_t>(mesh_.rank())];
    own.count = std::ssize(texts_);
    randombytes_buf(own.fresh.data(), own.fresh.size());
    std::vector<net::Bytes> bytes;
    for (Said& one : said) bytes.push_back(std::as_writable_bytes(std::span(&one, 1)));
    net::all_gather(group_, bytes);
    for (int rank = 0; rank < n_; ++rank) {
      const std::int64_t count = said[static_cast<std::size_t>(rank)].count;
      if (count < 0 || count > kMostTexts) deviates(rank, "announced a number of ids that no party can have");
      counts_.push_back(count);
    }
    key_ = digest_of(std::as_bytes(std::span(said)));
    total_ = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  }

  Point own_point(std::size_t text) const { return point_of(std::as_bytes(std::span(texts_[text])), key_); }

  void count(std::size_t points) {
    done_ += static_cast<std::int64_t>(points);
    if (options_.on_progress) options_.on_progress(done_, total_);
  }

  // One receive, or one send, for each block of a list.
  std::vector<net::Transfer> receive(int from, net::Bytes list) {
    std::vector<net::Transfer> blocks;
    for (std::size_t at = 0; at < list.size(); at += kBlockBytes) {
      const net::Bytes block = list.subspan(at, std::min(kBlockBytes, list.size() - at));
      blocks.push_back(group_.receive(from, std::span(&block, 1)));
    }
    return blocks;
  }
  std::vector<net::Transfer> send(int to, net::ConstBytes list) {
    std::vector<net::Transfer> blocks;
    for (std::size_t at = 0; at < list.size(); at += kBlockBytes) {
      const net::ConstBytes block = list.subspan(at, std::min(kBlockBytes, list.size() - at));
      blocks.push_back(group_.send(to, std::span(&block, 1)));
    }
    return blocks;
  }
  void wait(std::vector<net::Transfer> transfers) {
    for (net::Transfer& transfer : transfers) group_.wait(transfer);
  }

  // out[i] = in[order[i]] raised to this party's secret; in the first step, the points of its own
  // texts. Returns false if a point is invalid.
  bool raise(std::span<Point> out, const Positions& order, std::size_t first, const Points& in, bool own) {
    std::atomic<bool> valid = true;
    workers_.for_ranges(std::ssize(out), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const std::size_t from = order[first + i];
        out[i] = own ? own_point(from) : in[from];
        if (!secret_.multiply(out[i])) valid = false;
      }
    });
    count(out.size());
    return valid;
  }

  Finished pass_round() {
    Points in, out;
    for (int step = 0; step < n_; ++step) {
      mesh_.set_step(fmt::format("common ids: step {} of {} round the ring", step + 1, n_));
      const bool passes_on = step + 1 < n_;
      // This party's list comes first, then the lists of the ranks before it.
      out.resize(count_of(group_.neighbour(-step)));
      Points next(passes_on ? count_of(group_.neighbour(-step - 1)) : 0);
      std::vector<net::Transfer> receives = receive(left(), std::as_writable_bytes(std::span(next))), sends;
      orders_.push_back(shuffled(out.size()));
      for (std::size_t at = 0; at < out.size(); at += kBlock) {
        const std::span<Point> block = std::span(out).subspan(at, std::min(kBlock, out.size() - at));
        if (!raise(block, orders_.back(), at, in, step == 0))
          deviates(left(), "sent bytes that are not a point of ristretto255");
        if (passes_on) sends.push_back(std::move(send(right(), std::as_bytes(block)).front()));
      }
      wait(std::move(receives));
      wait(std::move(sends));
      if (passes_on) group_.count_rounds(1);
      in = std::move(next);
    }
    return sorted(std::move(out));
  }

  Finished sorted(Points list) const {
    Finished finished{{}, Positions(list.size())};
    std::iota(finished.from.begin(), finished.from.end(), std::uint32_t{0});
    std::sort(finished.from.begin(), finished.from.end(),
              [&](std::uint32_t a, std::uint32_t b) { return list[a] < list[b]; });
    finished.points.reserve(list.size());
    for (const std::uint32_t at : finished.from) finished.points.push_back(list[at]);
    if (std::adjacent_find(finished.points.begin(), finished.points.end()) != finished.points.end()) {
      deviates(left(), "sent a list with a point twice");
    }
    return finished;
  }

  // Receives a list of unknown length, at most `most`.
  Points receive_list(int from, std::size_t most) {
    std::int64_t size = 0;
    const net::Bytes header = std::as_writable_bytes(std::span(&size, 1));
    net::Transfer transfer = group_.receive(from, std::span(&header, 1));
    group_.wait(transfer);
    if (size < 0 || size > static_cast<std::int64_t>(most)) deviates(from, "announced a list longer than it can be");
    Points list(static_cast<std::size_t>(size));
    wait(receive(from, std::as_writable_bytes(std::span(list))));
    group_.count_rounds(1);
    expect_set(list, from);
    return list;
  }

  void send_list(const std::vector<int>& to, const Points& list) {
    const auto size = static_cast<std::int64_t>(list.size());
    const net::ConstBytes header = std::as_bytes(std::span(&size, 1));
    std::vector<net::Transfer> sends;
    for (const int rank : to) {
      sends.push_back(group_.send(rank, std::span(&header, 1)));
      for (net::Transfer& block : send(rank, std::as_bytes(std::span(list)))) sends.push_back(std::move(block));
    }
    wait(std::move(sends));
  }

  // Checks that the list is sorted and has no point twice.
  static void expect_set(const Points& list, int from) {
    if (std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end()) return;
    deviates(from, "sent a list that is not in order, or has a point twice");
  }

  // Returns the common points of all lists at party n-2, and an empty list elsewhere.
  Points filtered(const Finished& finished) {
    mesh_.set_step("common ids: comparing lists");
    if (mesh_.rank() == n_ - 1) {
      send_list({0}, finished.points);
      return {};
    }
    const Points in_all_before = receive_list(left(), count_of(0));
    Points kept;
    std::set_intersection(in_all_before.begin(), in_all_before.end(), finished.points.begin(), finished.points.end(),
                          std::back_inserter(kept));
    if (mesh_.rank() == n_ - 2) return kept;
    send_list({right()}, kept);
    return {};
  }

  Points agreed(Points common) {
    mesh_.set_step("common ids: sending the common list");
    if (mesh_.rank() != n_ - 2) {
      return receive_list(n_ - 2, static_cast<std::size_t>(*std::min_element(counts_.begin(), counts_.end())));
    }
    std::vector<int> others;
    for (int other = 0; other < n_; ++other) {
      if (other != mesh_.rank()) others.push_back(other);
    }
    send_list(others, common);
    return common;
  }

  // Returns the positions of the common points in the list that was finished here, in the common
  // order. Both lists are sorted.
  Positions found_in(const Finished& finished, const Points& common) const {
    Positions positions;
    positions.reserve(common.size());
    auto at = finished.points.begin();
    for (const Point& point : common) {
      at = std::lower_bound(at, finished.points.end(), point);
      if (at == finished.points.end() || *at != point) {
        deviates(n_ - 2, "named as common an entry that is not in the list of every rank");
      }
      positions.push_back(finished.from[static_cast<std::size_t>(at - finished.points.begin())]);
    }
    return positions;
  }

  // Undoes the shuffles, each at the party that made it: converts positions in the list finished
  // here to positions in each owner's own texts.
  Positions own_positions(Positions places) {
    mesh_.set_step("common ids: finding our own");
    for (int step = n_ - 1;; --step) {
      const Positions& order = orders_[static_cast<std::size_t>(step)];
      for (std::uint32_t& place : places) place = order[place];
      if (step == 0) return places;
      Positions next(places.size());
      std::vector<net::Transfer> receives = receive(right(), std::as_writable_bytes(std::span(next)));
      wait(send(left(), std::as_bytes(std::span(places))));
      wait(std::move(receives));
      group_.count_rounds(1);
      expect_places(next, orders_[static_cast<std::size_t>(step) - 1].size());
      places = std::move(next);
    }
  }

  void expect_places(const Positions& places, std::size_t size) const {
    std::vector<bool> taken(size);
    for (const std::uint32_t place : places) {
      if (place >= size || taken[place]) deviates(right(), "sent places of common ids that no list can have");
      taken[place] = true;
    }
  }

  net::Mesh& mesh_;
  net::Group group_;
  std::span<const std::string> texts_;
  const IntersectOptions& options_;
  Workers workers_;
  const int n_;
  const SecretScalar secret_;
  PointKey key_{};
  std::vector<std::int64_t> counts_;
  std::vector<Positions> orders_;  // for every step: the earlier position of each point passed on
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace

net::Cost intersect_cost(int rank, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& common) {
  const auto n = static_cast<int>(counts.size());
  if (n == 1) return {};
  const auto blocks = [](std::int64_t bytes) {
    constexpr auto kBytes = static_cast<std::int64_t>(kBlockBytes);
    return net::Cost{0, bytes, (bytes + kBytes - 1) / kBytes};
  };
  const auto points = [&](std::int64_t size) { return blocks(size * std::int64_t{sizeof(Point)}); };
  const auto list = [&](std::int64_t size) {
    net::Cost cost = points(size);
    return cost += {0, 8, 1};
  };
  net::Cost cost{1, 40 * (n - 1), n - 1};
  for (int from = 0; from < n; ++from) {
    if (from != (rank + 1) % n) cost += points(counts[static_cast<std::size_t>(from)]);
  }
  const bool tells = rank == n - 2;
  cost.rounds += n - 1 + (rank < n - 1 ? 1 : 0) + (tells ? 0 : 1) + n - 1;
  if (!tells) cost += list(common[rank == n - 1 ? 0 : static_cast<std::size_t>(rank) + 1]);
  for (int to = 0; tells && to < n - 1; ++to) cost += list(common.back());
  for (int step = 1; step < n; ++step) cost += blocks(common.back() * std::int64_t{sizeof(std::uint32_t)});
  return cost;
}

Intersection intersect(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options) {
  TACIT_CHECK(mesh.world().is_party() && std::ssize(texts) <= kMostTexts);
  return Intersecting(mesh, texts, options).run();
}

}  // namespace tacit::mpc
