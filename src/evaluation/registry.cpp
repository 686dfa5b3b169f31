#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "columns.h"
#include "measures/all.h"

namespace rondo::evaluation {
namespace {

constexpr std::array kAll{
    &measures::kAdr,
    &measures::kAdrTie,
    &measures::kAveragePrecision,
    &measures::kAveragePrecisionRetrieved,
    &measures::kPrecision,
    &measures::kRecall,
    &measures::kFMeasure,
    &measures::kRPrecision,
    &measures::kBreakEven,
    &measures::kReciprocalRank,
    &measures::kReciprocalRankMean,
    &measures::kSuccess,
    &measures::kDcg,
    &measures::kNdcg,
    &measures::kDcgLn,
    &measures::kRankBiasedPrecision,
    &measures::kRankBiasedPrecisionPatient,
    &measures::kExpectedReciprocalRank,
    &measures::kCompatibility,
    &measures::kBpref,
    &measures::kBprefPaper,
    &measures::kBpref10,
    &measures::kBprefStar,
    &measures::kTruePositives,
    &measures::kFalsePositives,
    &measures::kFalseNegatives,
    &measures::kTrueNegatives,
    &measures::kAccuracy,
    &measures::kSensitivity,
    &measures::kSpecificity,
    &measures::kNegativePredictiveValue,
    &measures::kFallout,
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Calls `visit(name, measure)` for every name and alias until it returns true.
template <typename Visit>
const Measure* find_name(const Visit& visit) {
  for (const Measure* measure : kAll) {
    if (visit(measure->name)) return measure;
    std::string_view rest = measure->aliases;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (visit(rest.substr(0, end))) return measure;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return nullptr;
}

const Measure* find_measure(std::string_view name) {
  const std::string wanted = lower(name);
  return find_name([&](std::string_view known) { return lower(known) == wanted; });
}

/// Edit distance of two short words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

/// "did you mean AP or RR?", else where to find the list.
std::string suggestion(std::string_view name) {
  constexpr std::size_t kLongest = 40;
  const std::string wanted = lower(name.substr(0, kLongest));
  std::vector<std::pair<std::size_t, const Measure*>> close;
  for (const Measure* measure : kAll) {
    const std::string known = lower(measure->name);
    std::size_t far = distance(wanted, known);
    if (wanted.size() >= 2 && known.starts_with(wanted)) far = std::min<std::size_t>(far, 1);
    if (far <= std::clamp<std::size_t>(wanted.size() / 2, 1, 3)) close.emplace_back(far, measure);
  }
  std::stable_sort(close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (close.empty()) return "the list of measures names all";
  std::string out = "did you mean ";
  for (std::size_t i = 0; i < std::min<std::size_t>(close.size(), 3); ++i) {
    out += (i == 0 ? "" : " or ") + std::string(close[i].second->name);
  }
  return out + "?";
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

std::span<const Measure* const> all_measures() { return kAll; }

std::string MeasureSpec::name() const {
  return cutoff == 0 ? std::string(measure->name) : fmt::format("{}@{}", measure->name, cutoff);
}

std::optional<double> MeasureSpec::value(const JudgedList& list) const {
  if (!list.missing) return measure->value(list, cutoff);
  if (measure->higher_is_better) return 0;
  return std::isfinite(measure->high) ? measure->high : measure->value(list, cutoff);
}

Result<MeasureSpec> parse_measure(std::string_view text) {
  text = trimmed(text);
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  const Measure* measure = find_measure(name);
  if (measure == nullptr)
    return fail("measure-unknown", "there is no measure " + in_quotes(name), {}, suggestion(name));
  if (at == std::string_view::npos) return MeasureSpec{measure, 0};
  if (!measure->takes_cutoff) {
    return fail("measure-parameter", fmt::format("{} has no cut-off", measure->name), {},
                fmt::format("write {} alone", measure->name));
  }
  constexpr std::size_t kMost = 1'000'000;
  const auto cutoff = parse_number<std::size_t>(text.substr(at + 1));
  if (!cutoff || *cutoff == 0 || *cutoff > kMost) {
    return fail("measure-parameter",
                fmt::format("the cut-off of {} is a whole number from 1 to {}, not {}", measure->name, kMost,
                            in_quotes(text.substr(at + 1))),
                {}, fmt::format("write it like {}@10", measure->name));
  }
  return MeasureSpec{measure, *cutoff};
}

Result<std::vector<MeasureSpec>> parse_measures(std::string_view list) {
  std::vector<MeasureSpec> specs;
  const auto add = [&](MeasureSpec spec) {
    const auto same = [&](const MeasureSpec& s) { return s.measure == spec.measure && s.cutoff == spec.cutoff; };
    if (std::none_of(specs.begin(), specs.end(), same)) specs.push_back(spec);
  };
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view item = trimmed(list.substr(0, comma));
    if (lower(item) == "all") {
      for (const Measure* measure : kAll) add({measure, 0});
    } else {
      auto spec = parse_measure(item);
      if (!spec) return fail(std::move(spec.error()));
      add(*spec);
    }
    if (comma == std::string_view::npos) return specs;
    list.remove_prefix(comma + 1);
  }
}

std::vector<MeasureSpec> default_measures() {
  return {{&measures::kAdr, 0},        {&measures::kAveragePrecision, 0}, {&measures::kNdcg, 10},
          {&measures::kPrecision, 10}, {&measures::kRecall, 0},           {&measures::kReciprocalRank, 0},
          {&measures::kBpref, 0},      {&measures::kBprefStar, 0}};
}

}  // namespace rondo::evaluation
