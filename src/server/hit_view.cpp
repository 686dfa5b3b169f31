#include "server/hit_view.h"

#include <iterator>

#include "base/interrupt.h"

namespace rondo::server {
namespace {

std::shared_ptr<const HitView> make_hit_view(Piece&& piece, std::uint32_t number) {
  const UninterruptedScope scope;  // others will use it
  HitView view;
  view.id = std::move(piece.id);
  view.metadata = std::move(piece.metadata);
  Voice& whole = piece.voices[number];
  const bool is_cut = whole.notes.size() > kShownNotes;
  view.voice = is_cut ? beginning_of(whole, kShownNotes) : std::move(whole);
  view.pae = pae_line(view.voice);
  Json shown = {{"id", view.id}, {"voice", number}};
  shown.update(metadata_json(view.metadata));
  shown["cut"] = is_cut;
  shown["pae"] = view.pae;
  shown["mei"] = engraving_json(view.voice);
  view.members = members_text(shown) + R"(,"notes":)" + notes_text(view.voice);
  return std::make_shared<const HitView>(std::move(view));
}

}  // namespace

std::size_t HitView::bytes() const {
  return sizeof(HitView) + members.size() + pae.size() + voice.notes.size() * sizeof(Note) +
         voice.bars.size() * sizeof(Fraction) + 512;
}

Json metadata_json(const Metadata& metadata) {
  return {{"title", metadata.title},     {"composer", metadata.composer},   {"source", metadata.source},
          {"library", metadata.library}, {"shelfmark", metadata.shelfmark}, {"uri", metadata.uri},
          {"year", metadata.year}};
}

HitViewCache::Shared HitViewCache::find(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->view;
}

void HitViewCache::keep(std::uint64_t key, Shared view) {
  std::list<Entry> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;
  bytes_ += view->bytes();
  entries_.push_front({key, std::move(view)});
  by_key_.emplace(key, entries_.begin());
  while (bytes_ > kMostBytes && entries_.size() > 1) {
    bytes_ -= entries_.back().view->bytes();
    by_key_.erase(entries_.back().key);
    dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }
}

Result<HitViewCache::Shared> HitViewCache::get(Collection& collection, PieceKey piece, std::uint32_t voice) {
  // A piece has at most 512 voices (limits.h).
  const std::uint64_t key = static_cast<std::uint64_t>(piece) * 1024 + voice;
  if (Shared view = find(key)) return view;
  auto read = collection.get(piece);
  if (!read) return fail(std::move(read.error()));
  if (voice >= read->voices.size()) return fail("voice-missing", "the piece has no such voice");
  Shared view = make_hit_view(std::move(*read), voice);
  keep(key, view);
  return view;
}

}  // namespace rondo::server
