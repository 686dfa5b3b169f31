#include "search/selection.h"

#include <numeric>
#include <unordered_map>

namespace rondo {
namespace {

using fast::SegmentView;
using index::DocumentId;

/// Pieces, by key, as bits: asked once for every document, so it must cost next to nothing.
class PieceSet {
 public:
  explicit PieceSet(const std::vector<PieceKey>& ascending) {
    if (ascending.empty()) return;
    first_ = static_cast<std::int64_t>(ascending.front());
    const auto last = static_cast<std::int64_t>(ascending.back());
    bits_.assign(static_cast<std::size_t>(last - first_) + 1, false);
    for (const PieceKey key : ascending)
      bits_[static_cast<std::size_t>(static_cast<std::int64_t>(key) - first_)] = true;
  }
  [[nodiscard]] bool has(PieceKey key) const {
    const std::int64_t at = static_cast<std::int64_t>(key) - first_;
    return at >= 0 && static_cast<std::size_t>(at) < bits_.size() && bits_[static_cast<std::size_t>(at)];
  }

 private:
  std::int64_t first_ = 0;
  std::vector<bool> bits_;
};

}  // namespace

SelectedDocuments::SelectedDocuments(const index::Snapshot& snapshot, const std::vector<PieceKey>& among) {
  const PieceSet wanted(among);
  std::unordered_map<std::int64_t, std::size_t> several;  // pieces of more than one voice: the longest
  whole_lengths.assign(snapshot.whole_lengths.size(), 0);
  other_lengths.assign(snapshot.piece_lengths.size(), 0);
  const std::size_t most = other_lengths.size() - 1;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const index::Segment& segment = snapshot.segments[s];
    index::DocumentSet& all = chosen.emplace_back(segment.size());
    index::DocumentSet& whole = chosen_whole.emplace_back(segment.size());
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const std::size_t length = std::min<std::size_t>(segment.runs()[r].notes, most);
      for (DocumentId d = segment.runs()[r].first_document; d < segment.run_end(r); ++d) {
        if (!wanted.has(segment.piece(d)) || snapshot.removed[s].has(d)) continue;
        all.add(d);
        ++documents;
        if (!segment.alone(d)) {
          std::size_t& longest = several[static_cast<std::int64_t>(segment.piece(d))];
          longest = std::max(longest, length);
        } else if (snapshot.whole[s].has(d)) {
          whole.add(d);
          ++whole_lengths[length];
          ++pieces;
        } else {
          ++other_lengths[length];
          ++pieces;
        }
      }
    }
  }
  pieces += several.size();
  for (const auto& piece : several) ++other_lengths[piece.second];
  filtered_out = snapshot.pieces - pieces;
}

Selection::Selection(const index::Snapshot& snapshot, const SearchOptions& options) : selected_(options.selected) {
  if (options.among && selected_ == nullptr) {
    selected_ = std::make_shared<const SelectedDocuments>(snapshot, *options.among);
  }
  if (selected_ != nullptr) {
    count_selected();
  } else {
    count_all(snapshot);
  }
  for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
    const index::Segment& segment = snapshot.segments[s];
    const bool all = selected_ == nullptr;
    all_.push_back({&segment, s, &snapshot.removed[s], all ? nullptr : &selected_->chosen[s], {}});
    whole_.push_back({&segment, s, &snapshot.removed[s], all ? &snapshot.whole[s] : &selected_->chosen_whole[s], {}});
  }
  if (options.except) leave_out(snapshot, *options.except);
}

std::size_t Selection::sum_from(const std::vector<std::size_t>& lengths, std::size_t notes) {
  const std::size_t from = std::min(notes, lengths.empty() ? 0 : lengths.size() - 1);
  return std::accumulate(lengths.begin() + static_cast<std::ptrdiff_t>(from), lengths.end(), std::size_t{0});
}

void Selection::count_all(const index::Snapshot& snapshot) {
  documents_ = snapshot.documents();
  pieces_ = snapshot.pieces;
  whole_lengths_ = snapshot.whole_lengths;
  other_lengths_ = snapshot.piece_lengths;
  for (std::size_t n = 0; n < other_lengths_.size(); ++n) other_lengths_[n] -= whole_lengths_[n];
}

void Selection::count_selected() {
  documents_ = selected_->documents;
  pieces_ = selected_->pieces;
  filtered_out_ = selected_->filtered_out;
  whole_lengths_ = selected_->whole_lengths;
  other_lengths_ = selected_->other_lengths;
}

void Selection::leave_out(const index::Snapshot& snapshot, PieceKey piece) {
  std::optional<std::size_t> longest;
  bool whole = false;
  for (std::size_t s = 0; s < all_.size(); ++s) {
    const std::vector<DocumentId> documents = snapshot.segments[s].documents_of(piece);
    for (const DocumentId d : documents) {
      if (!all_[s].has(d)) continue;
      longest = std::max<std::size_t>(longest.value_or(0), snapshot.segments[s].notes_of(d).count);
      whole = whole || snapshot.whole[s].has(d);
    }
    all_[s].except = documents;
    whole_[s].except = documents;
  }
  if (!longest) {
    // A filter has left it out, and it must not count twice.
    const bool there =
        std::any_of(all_.begin(), all_.end(), [](const SegmentView& view) { return !view.except.empty(); });
    if (there && filtered_out_ > 0) --filtered_out_;
    return;
  }
  std::vector<std::size_t>& lengths = whole ? whole_lengths_ : other_lengths_;
  --lengths[std::min(*longest, lengths.size() - 1)];
  --pieces_;
}

}  // namespace rondo
