#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/access.h"

namespace rondo::study {

/// What a participant does, and all that he or she can reach. Queries are numbered from 1 in the participant's own
/// order; candidates come in an order that is the participant's own, too.
class Answering {
 public:
  Answering(Studies& studies, Seat seat) : studies_(studies), seat_(std::move(seat)) {}

  /// Another one for everybody in the study.
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
  /// A query with its candidates, nothing known of them but their notes.
  struct Task {
    Voice query;
    std::vector<Shown> candidates;
    Answer answer;
    bool ties = false;
  };
  /// Errors `study-query-missing`, `consent-missing`.
  [[nodiscard]] Result<Task> task(std::size_t number);

  struct Save {
    std::int64_t basis = 0;  ///< the version that the client had before its eyes
    std::string id;          ///< the client's own name of this save; one that was seen before is not done again
    Ranking ranking;
    bool done = false;
  };
  struct Outcome {
    bool conflict = false;  ///< another device was faster: nothing was changed, `answer` is what is there now
    Answer answer;
  };
  /// When this returns without an error, the answer is on the disk. Errors: those of `task` and `check`,
  /// `study-closed`, `study-not-open`, `save-malformed`, `disk-full`.
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
