// The part of Arithmetic that opens tensors: it lifts and masks them, and the range watch compares their openings.
#include <algorithm>
#include <array>
#include <utility>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/arithmetic/watched_names.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

using mpc::Share;

}  // namespace

Tensor Arithmetic::narrowed(const Tensor& x) const {
  const int room = mpc::room_for(x.format().fraction_bits, x.bound());
  if (room >= x.format().ring_bits) return x;
  Tensor narrow(mpc::narrow(x.share(), room), x.bound(), x.name());
  narrow.forms_->before = x.share();
  narrow.forms_->group = x.forms_->group;
  return narrow;
}

Share Arithmetic::to_be_lifted(const Tensor& x) const {
  const Share& share = x.forms_->share;
  const int room = mpc::room_for(share.fraction_bits(), x.bound());
  return is_watched(x) && room < share.ring_bits() ? mpc::narrow(share, room) : share;
}

void Arithmetic::lift(std::span<const Tensor> tensors) {
  Tensors narrow;
  const auto known = [&](const Tensor& x) {
    return std::any_of(narrow.begin(), narrow.end(), [&](const Tensor& one) { return one.forms_ == x.forms_; });
  };
  std::vector<Share> to_show;
  for (const Tensor& one : tensors) {
    const Tensor& tensor = one.forms_->whole == nullptr ? one : *one.forms_->whole;
    if (tensor.format().ring_bits == top().ring_bits || known(tensor)) continue;
    narrow.push_back(tensor);
    if (!tensor.forms_->shown) to_show.push_back(to_be_lifted(tensor));
  }
  const std::vector<mpc::Shown> shown = to_show.empty() ? std::vector<mpc::Shown>() : show_all(std::move(to_show));
  std::size_t next = 0;
  for (const Tensor& tensor : narrow) {
    Tensor::Forms& forms = *tensor.forms_;
    const bool opened_now = !forms.shown;
    if (opened_now) forms.shown = shown[next++];
    const Share wide = mpc::lift(session_, *forms.shown, top().ring_bits);
    if (is_watched(tensor)) {
      note_range(tensor);
      audit_->watch_lift(group_of(tensor), wide, forms.before.value_or(forms.share), forms.shown->ring_bits());
    }
    forms = {wide, forms.shown, {}, {}, forms.group, true, {}, 0};
  }
  for (const Tensor& tensor : tensors) {
    Tensor::Forms& forms = *tensor.forms_;
    if (forms.whole == nullptr || forms.share.ring_bits() == top().ring_bits) continue;
    const Share some = mpc::rows(forms.whole->forms_->share, forms.begin, forms.begin + forms.share.shape().rows);
    forms = {some, {}, {}, {}, forms.group, true, forms.whole, forms.begin};
  }
}

Tensors Arithmetic::lifted(std::span<const Tensor> tensors) {
  lift(tensors);
  return {tensors.begin(), tensors.end()};
}

Tensors Arithmetic::refreshed(std::span<const Tensor> tensors) {
  Tensors narrow;
  for (const Tensor& x : tensors) narrow.push_back(narrowed(x));
  return lifted(narrow);
}

std::vector<mpc::Shown> Arithmetic::shown_narrowly(std::span<const Tensor> tensors, std::span<const Share> shares) {
  std::vector<Share> all;
  for (const Tensor& x : tensors) all.push_back(narrowed(x).share());
  all.insert(all.end(), shares.begin(), shares.end());
  return show_all(std::move(all));
}

void Arithmetic::watch_lifted(const Tensor& x, const mpc::Shown& opened, const Share& lifted) {
  if (!is_watched(x)) return;
  note_range(x);
  audit_->watch_lift(group_of(x), lifted, x.share(), opened.ring_bits());
  x.forms_->certain = true;
}

void Arithmetic::mask(std::span<const Tensor> tensors) {
  Tensors open;
  add_to_open(tensors, open);
  if (!open.empty()) mask_all(std::move(open), {});
}

void Arithmetic::mask_with_next(std::span<const Tensor> tensors) {
  for (const Tensor& x : tensors) {
    if (!x.forms_->group) x.forms_->group = group_;
    waiting_.push_back(x);
  }
}

void Arithmetic::mask_with_next(const Product& p) {
  const mpc::ProductPlan plan = planner_.product(p.name, p.left.level(), p.right.level(), p.left.shape().cols, p.bound);
  if (plan.lift_left) lift(std::span(&p.left, 1));
  if (plan.lift_right) lift(std::span(&p.right, 1));
  mask_with_next(std::array{p.left, p.right});
}

void Arithmetic::show_with_next(const Tensor& x) {
  TACIT_CHECK(!x.transposed_ && x.forms_->whole == nullptr);
  if (!x.forms_->group) x.forms_->group = group_;
  to_show_.push_back(x);
}

// The shares of the tensors that wait to be shown.
std::vector<Share> Arithmetic::take_to_show(Tensors& taken) {
  std::vector<Share> shares;
  for (const Tensor& x : std::exchange(to_show_, {})) {
    if (x.forms_->shown) continue;
    taken.push_back(x);
    shares.push_back(x.forms_->share);
  }
  return shares;
}

void Arithmetic::note_shown(const Tensors& tensors, std::span<const mpc::Shown> shown) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].forms_->shown = shown[i];
    watch_shown(tensors[i]);
  }
}

// The shares, and beside them the tensors that wait.
std::vector<mpc::Shown> Arithmetic::show_all(std::vector<Share> shares) {
  const std::size_t own = shares.size();
  Tensors waiting;
  for (Share& share : take_to_show(waiting)) shares.push_back(std::move(share));
  std::vector<mpc::Shown> shown = mpc::show(session_, shares);
  note_shown(waiting, std::span(shown).subspan(own));
  shown.resize(own);
  return shown;
}

std::vector<mpc::Masked> Arithmetic::mask_shares(std::span<const Share> shares) { return mask_all({}, shares); }

void Arithmetic::add_to_open(std::span<const Tensor> tensors, Tensors& open) {
  for (const Tensor& tensor : tensors) {
    Tensor::Forms& forms = *tensor.forms_;
    if (forms.masked) continue;
    if (forms.whole != nullptr) {
      add_to_open(std::span(forms.whole.get(), 1), open);
      forms.whole->forms_->masked ? take_rows_of_whole(tensor) : parts_.push_back(tensor);
      continue;
    }
    if (forms.shown && forms.shown->ring_bits() == forms.share.ring_bits()) {
      forms.masked = mpc::masked(session_, *forms.shown);
    } else if (std::none_of(open.begin(), open.end(), [&](const Tensor& one) { return one.forms_ == tensor.forms_; })) {
      open.push_back(tensor);
    }
  }
}

// The masked forms of the shares.
std::vector<mpc::Masked> Arithmetic::mask_all(Tensors open, std::span<const Share> shares) {
  add_to_open(std::exchange(waiting_, {}), open);
  std::vector<Share> all(shares.begin(), shares.end());
  for (const Tensor& tensor : open) all.push_back(tensor.forms_->share);
  std::vector<mpc::Masked> masked;
  if (to_show_.empty()) {
    masked = mpc::mask(session_, all);
  } else {  // one call for both, hence one round: a shown value is masked as well
    for (const mpc::Shown& shown : show_all(std::move(all))) masked.push_back(mpc::masked(session_, shown));
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i].forms_->masked = std::move(masked[shares.size() + i]);
    watch_masked(open[i]);
  }
  for (const Tensor& part : std::exchange(parts_, {})) take_rows_of_whole(part);
  masked.resize(shares.size());
  return masked;
}

// The range watch saw them with all others.
void Arithmetic::take_rows_of_whole(const Tensor& part) {
  Tensor::Forms& forms = *part.forms_;
  forms.masked = forms.whole->forms_->masked->rows(forms.begin, forms.begin + forms.share.shape().rows);
  forms.certain = true;
}

// For the clear session, which knows how large values are.
void Arithmetic::note_range(const Tensor& x) {
  const Tensor::Forms& forms = *x.forms_;
  const WatchedRange range = range_of(static_cast<Watched>(group_of(x)));
  session_.expect_between(forms.before.value_or(forms.share), -x.bound(), x.bound(), range.key);
}

void Arithmetic::watch_masked(const Tensor& x) {
  if (!is_watched(x)) return;
  note_range(x);
  Tensor::Forms& forms = *x.forms_;
  forms.certain = true;
  const int ring = mpc::RangeAudit::ring_of(forms.share.fraction_bits(), x.bound());
  audit_->watch(group_of(x), *forms.masked, forms.share, ring);
}

void Arithmetic::watch_shown(const Tensor& x) {
  if (!is_watched(x)) return;
  note_range(x);
  Tensor::Forms& forms = *x.forms_;
  forms.certain = true;
  if (forms.before) return audit_->watch_narrowed(group_of(x), *forms.shown, *forms.before);
  const int ring = mpc::RangeAudit::ring_of(forms.share.fraction_bits(), x.bound());
  audit_->watch(group_of(x), *forms.shown, forms.share, ring);
}

mpc::Masked Arithmetic::masked(const Tensor& x) const {
  return x.transposed_ ? x.forms_->masked->transposed() : *x.forms_->masked;
}

const mpc::Shown& Arithmetic::shown(const Tensor& x) {
  TACIT_CHECK(!x.transposed_);
  if (!x.forms_->shown) {
    std::erase_if(to_show_, [&](const Tensor& one) { return one.forms_ == x.forms_; });
    x.forms_->shown = show_all({x.forms_->share}).front();
    watch_shown(x);
  }
  return *x.forms_->shown;
}

}  // namespace tacit::gnn
