#include "concordances/sample_on_card.h"

namespace rondo::concordances {

SampleOnCard::SampleOnCard(std::vector<Line> melodies, const System& system, const RondoPlan& plan,
                           std::shared_ptr<gpu::Card> card)
    : melodies_(std::move(melodies)),
      system_(&system),
      card_(std::move(card)),
      even_(explained::settings_of(plan), false),
      rhythmic_(explained::settings_of(plan), true) {}

std::uint32_t SampleOnCard::add(const Line& melody, gpu::MelodyColumns& to) const {
  if (melody.size() < explained::kShortest || melody.size() > gpu::kMostNotes) return kNotOnCard;
  explained::Features features;
  explained::make_features(melody.pitch, melody.onset, melody.duration, features);
  if (!gpu::MelodyColumns::fits(features)) return kNotOnCard;
  to.add(features, even_, rhythmic_);
  return static_cast<std::uint32_t>(to.melodies.size() - 1);
}

Result<SampleOnCard> SampleOnCard::load(std::vector<Line> melodies, const System& system,
                                        std::shared_ptr<gpu::Card> card) {
  SampleOnCard out(std::move(melodies), system, std::get<RondoPlan>(system.plan()), std::move(card));
  gpu::MelodyColumns columns;
  for (const Line& melody : out.melodies_) out.number_.push_back(out.add(melody, columns));
  out.on_card_ = columns.melodies.size();
  const auto costs = gpu::cost_tables(out.even_, out.rhythmic_);
  auto slice = out.card_->load(columns.span(), *costs, gpu::SliceUse::totals);
  if (!slice) return fail(slice.error());
  out.slice_ = std::move(*slice);
  return out;
}

Result<void> SampleOnCard::scores(std::span<const Line> queries, std::vector<double>& out) const {
  gpu::MelodyColumns columns;
  std::vector<gpu::Query> on_card;
  std::vector<std::uint32_t> number;  // of each query
  for (const Line& query : queries) {
    const std::uint32_t added = number.emplace_back(add(query, columns));
    if (added != kNotOnCard) on_card.push_back(gpu::make_query(columns.melodies[added], columns.notes_of(added), 0));
  }
  std::vector<std::int32_t> totals;
  if (!on_card.empty() && on_card_ != 0) {
    if (auto done = card_->totals({slice_.get(), on_card}, totals); !done) return done;
  }
  out.clear();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::unique_ptr<PreparedQuery> prepared;
    for (std::size_t m = 0; m < melodies_.size(); ++m) {
      if (number[q] != kNotOnCard && number_[m] != kNotOnCard) {
        const std::int32_t total = totals[number[q] * on_card_ + number_[m]];
        out.push_back(static_cast<double>(total) / static_cast<double>(columns.melodies[number[q]].perfect));
        continue;
      }
      if (!prepared) prepared = system_->prepare(queries[q]);
      const Score score = prepared->score(melodies_[m]);
      out.push_back(score.comparable ? score.value : kNone);
    }
  }
  return {};
}

}  // namespace rondo::concordances
