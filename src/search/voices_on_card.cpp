#include "search/voices_on_card.h"

#include <optional>

namespace rondo {

bool VoicesOnCard::supports(const System& system) {
  const SearchPlan plan = system.plan();
  const auto* const rondo = std::get_if<RondoPlan>(&plan);
  return rondo != nullptr && gpu::fits_card(*rondo);
}

VoicesOnCard::VoicesOnCard(std::vector<const Line*> voices, const System& system, const RondoPlan& plan,
                           std::shared_ptr<gpu::Card> card)
    : voices_(std::move(voices)),
      system_(&system),
      card_(std::move(card)),
      even_(explained::settings_of(plan), false),
      rhythmic_(explained::settings_of(plan), true),
      costs_(gpu::cost_tables(even_, rhythmic_)) {}

bool VoicesOnCard::add(const Line& voice, gpu::MelodyColumns& to) const {
  if (voice.size() < explained::kShortest || voice.size() > gpu::kMostNotes) return false;
  explained::Features features;
  explained::make_features(voice.pitch, voice.onset, voice.duration, features);
  if (!gpu::MelodyColumns::fits(features)) return false;
  to.add(features, even_, rhythmic_);
  return true;
}

Result<VoicesOnCard> VoicesOnCard::load(std::vector<const Line*> voices, const System& system,
                                        std::shared_ptr<gpu::Card> card) {
  VoicesOnCard out(std::move(voices), system, std::get<RondoPlan>(system.plan()), std::move(card));
  gpu::MelodyColumns columns;
  for (const Line* const voice : out.voices_) {
    const auto next = static_cast<std::uint32_t>(columns.melodies.size());
    out.number_.push_back(out.add(*voice, columns) ? next : kNotOnCard);
  }
  out.on_card_ = columns.melodies.size();
  auto slice = out.card_->load(columns.span(), *out.costs_, gpu::SliceUse::totals);
  if (!slice) return fail(slice.error());
  out.slice_ = std::move(*slice);
  return out;
}

Result<void> VoicesOnCard::scores(std::span<const Line* const> queries, std::vector<double>& out) const {
  gpu::MelodyColumns columns;
  std::vector<gpu::Query> on_card;
  std::vector<std::uint32_t> number;  // of each query
  for (const Line* const query : queries) {
    const std::size_t next = columns.melodies.size();
    const bool added = add(*query, columns);
    number.push_back(added ? static_cast<std::uint32_t>(next) : kNotOnCard);
    if (added) on_card.push_back(gpu::make_query(columns.melodies[next], columns.notes_of(next), 0, *costs_));
  }
  std::vector<std::int32_t> totals;
  if (!on_card.empty() && on_card_ != 0) {
    if (auto done = card_->totals({slice_.get(), on_card}, totals); !done) return done;
  }
  out.clear();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::unique_ptr<PreparedQuery> prepared;
    for (std::size_t v = 0; v < voices_.size(); ++v) {
      if (number[q] != kNotOnCard && number_[v] != kNotOnCard) {
        const std::int32_t total = totals[number[q] * on_card_ + number_[v]];
        out.push_back(static_cast<double>(total) / static_cast<double>(columns.melodies[number[q]].perfect));
        continue;
      }
      if (!prepared) prepared = system_->prepare(*queries[q]);
      const Score score = prepared->score(*voices_[v]);
      out.push_back(score.comparable ? score.value : kNone);
    }
  }
  return {};
}

}  // namespace rondo
