#include "server/card.h"

namespace rondo::server {
namespace {

std::shared_ptr<const Card> make_card(Piece&& piece, std::uint32_t number) {
  Card card;
  card.id = std::move(piece.id);
  card.metadata = std::move(piece.metadata);
  Voice& whole = piece.voices[number];
  const bool is_cut = whole.notes.size() > kShownNotes;
  card.voice = is_cut ? beginning_of(whole, kShownNotes) : std::move(whole);
  card.pae = pae_line(card.voice);
  Json shown = {{"id", card.id}, {"voice", number}};
  shown.update(metadata_json(card.metadata));
  shown["cut"] = is_cut;
  shown["pae"] = card.pae;
  shown["mei"] = engraving_json(card.voice);
  shown["notes"] = notes_json(card.voice);
  card.members = members_text(shown);
  return std::make_shared<const Card>(std::move(card));
}

}  // namespace

std::size_t Card::bytes() const {
  return sizeof(Card) + members.size() + pae.size() + voice.notes.size() * sizeof(Note) +
         voice.bars.size() * sizeof(Fraction) + 512;
}

Json metadata_json(const Metadata& metadata) {
  return {{"title", metadata.title},     {"composer", metadata.composer},   {"source", metadata.source},
          {"library", metadata.library}, {"shelfmark", metadata.shelfmark}, {"uri", metadata.uri},
          {"year", metadata.year}};
}

Cards::Shared Cards::find(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->card;
}

void Cards::keep(std::uint64_t key, Shared card) {
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;
  bytes_ += card->bytes();
  entries_.push_front({key, std::move(card)});
  by_key_.emplace(key, entries_.begin());
  while (bytes_ > kMostBytes && entries_.size() > 1) {
    bytes_ -= entries_.back().card->bytes();
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

Result<Cards::Shared> Cards::get(Collection& collection, PieceKey piece, std::uint32_t voice) {
  // Voices of a piece are few (limits.h: 512).
  const std::uint64_t key = static_cast<std::uint64_t>(piece) * 1024 + voice;
  if (Shared card = find(key)) return card;
  auto read = collection.get(piece);
  if (!read) return fail(std::move(read.error()));
  if (voice >= read->voices.size()) return fail("voice-missing", "the piece has no such voice");
  Shared card = make_card(std::move(*read), voice);
  keep(key, card);
  return card;
}

}  // namespace rondo::server
