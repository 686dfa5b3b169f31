#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "similarity/spline/comparers.h"

namespace rondo::spline {

/// The windows of a long query by the pitches and the rhythms that they have, each of which a melody repeats: what a
/// document's windows score against one of them is computed once. To compare two curves takes nearly all the time of an
/// alignment.
class RepeatedWindows {
 public:
  /// Windows of a query from which on it pays.
  static constexpr std::size_t kWorth = 64;

  explicit RepeatedWindows(std::span<const PitchAndTime::Gram> query) : query_(query) {
    std::map<Relative<4>, std::uint32_t> pitches;
    std::map<std::array<double, 3>, std::uint32_t> rhythms;  // the thousandths are these, rounded
    for (std::uint32_t i = 0; i < query.size(); ++i) {
      const auto pitch = pitches.emplace(query[i].relative, static_cast<std::uint32_t>(first_with_pitch_.size()));
      if (pitch.second) first_with_pitch_.push_back(i);
      pitch_.push_back(pitch.first->second);
      const auto rhythm = rhythms.emplace(query[i].ratio, static_cast<std::uint32_t>(first_with_rhythm_.size()));
      if (rhythm.second) first_with_rhythm_.push_back(i);
      rhythm_.push_back(rhythm.first->second);
    }
  }

  /// Whether the tables stay small with a document of so many windows.
  [[nodiscard]] bool suits(std::size_t document_windows) const {
    constexpr std::size_t kMost = std::size_t{1} << 16;
    return (first_with_pitch_.size() + first_with_rhythm_.size()) * document_windows <= kMost;
  }

  /// What GramModel is, with the same numbers. For documents that it suits; one on a thread at a time.
  class Model {
   public:
    Model(const PitchAndTime& comparer, const RepeatedWindows& own, std::span<const PitchAndTime::Gram> document)
        : comparer_(comparer), own_(own), document_(document), pitch_(scratch(0)), time_(scratch(1)) {
      pitch_.clear();
      for (const std::uint32_t i : own.first_with_pitch_) {
        for (const auto& gram : document) pitch_.push_back(comparer.pitch_score(own.query_[i], gram));
      }
      time_.clear();
      for (const std::uint32_t i : own.first_with_rhythm_) {
        for (const auto& gram : document) time_.push_back(comparer.time_score(own.query_[i], gram));
      }
    }
    [[nodiscard]] double pair(std::size_t i, std::size_t j) const {
      return comparer_.joined(pitch_[own_.pitch_[i] * document_.size() + j],
                              time_[own_.rhythm_[i] * document_.size() + j]);
    }
    [[nodiscard]] double gap_query(std::size_t i) const { return PitchAndTime::gap(own_.query_[i]); }
    [[nodiscard]] double gap_document(std::size_t j) const { return PitchAndTime::gap(document_[j]); }

   private:
    static std::vector<double>& scratch(std::size_t which) {
      thread_local std::vector<double> tables[2];
      return tables[which];
    }
    const PitchAndTime& comparer_;
    const RepeatedWindows& own_;
    std::span<const PitchAndTime::Gram> document_;
    std::vector<double>& pitch_;  ///< [pitches of the query][window of the document]
    std::vector<double>& time_;
  };

 private:
  std::span<const PitchAndTime::Gram> query_;
  std::vector<std::uint32_t> pitch_;  ///< number of its pitches, by window
  std::vector<std::uint32_t> rhythm_;
  std::vector<std::uint32_t> first_with_pitch_;  ///< window
  std::vector<std::uint32_t> first_with_rhythm_;
};

}  // namespace rondo::spline
