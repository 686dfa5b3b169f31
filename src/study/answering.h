#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/access.h"

namespace rondo::study {

/// All operations that a participant may perform. Queries are numbered from 1 in the participant's individual order;
/// the candidates have an individual order too.
class Answering {
 public:
  Answering(Studies& studies, Seat seat) : studies_(studies), seat_(std::move(seat)) {}

  /// Unique within the study.
  [[nodiscard]] std::int64_t number() const { return seat_.number; }

  struct Progress {
    std::size_t ranked = 0;
    std::size_t total = 0;
    bool done = false;
  };
  struct Overview {
    Settings settings;
    bool consented = false;
    std::optional<Background> background;
    std::vector<Progress> queries;
  };
  [[nodiscard]] Result<Overview> overview();

  /// Errors `study-closed`, `study-not-open`, as of everything that writes.
  [[nodiscard]] Result<void> consent();
  [[nodiscard]] Result<void> tell(const Background& background);

  struct Shown {
    std::string code;
    Voice voice;
  };
  /// A query with its candidates; of these only the notes are shown.
  struct Task {
    Voice query;
    std::vector<Shown> candidates;
    Answer answer;
    bool ties = false;
  };
  /// Errors `study-query-missing`, `consent-missing`.
  [[nodiscard]] Result<Task> task(std::size_t number);

  struct Save {
    std::int64_t basis = 0;  ///< the version that the client's changes are based on
    std::string id;          ///< unique name given by the client; a repeated save is not applied again
    Ranking ranking;
    bool done = false;
  };
  struct Outcome {
    bool conflict = false;  ///< another device saved in the meantime: nothing was changed, `answer` is the current
                            ///< state
    Answer answer;
  };
  /// When this succeeds, the answer is on disk. Errors: those of `task` and `check`, `study-closed`, `study-not-open`,
  /// `save-malformed`, `disk-full`.
  [[nodiscard]] Result<Outcome> save(std::size_t number, const Save& save);

 private:
  struct Place {
    std::size_t index = 0;  ///< of the query in the study
    std::int64_t key = 0;   ///< of its row
  };
  [[nodiscard]] Result<Place> place_of(std::size_t number, std::uint64_t seed);
  [[nodiscard]] Result<Answer> answer_of(const Place& place);
  [[nodiscard]] Result<std::optional<Answer>> saved_before(const Place& place, const std::string& save);

  Studies& studies_;
  Seat seat_;
};

}  // namespace rondo::study
