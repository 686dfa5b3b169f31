#include "server/listing.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/search.h"

namespace rondo::server {
namespace {

constexpr std::size_t kPart = 200;  // hits written at a time

/// A list streamed in parts: the hits are known, their texts are read while sending.
class Export {
 public:
  Export(Listing listing, std::size_t offset, std::vector<Listed> hits)
      : listing_(std::move(listing)), offset_(offset), hits_(std::move(hits)) {}

  std::optional<std::string> next(Session& session) {
    if (at_ == hits_.size()) return std::nullopt;
    std::string part;
    for (const std::size_t end = std::min(hits_.size(), at_ + kPart); at_ < end; ++at_)
      part += line(session, hits_[at_]);
    return part;
  }

 private:
  /// Empty for a piece that has been removed since.
  std::string line(Session& session, const Listed& listed) {
    auto piece = session.collection.get(listed.found.piece);
    if (!piece || listed.found.voice >= piece->voices.size()) return {};
    const std::string pae = pae_line(piece->voices[listed.found.voice]);
    return listing_.line({offset_ + at_ + 1, listed.found, piece->id, piece->metadata, pae, listed.duplicates});
  }

  Listing listing_;
  std::size_t offset_;
  std::vector<Listed> hits_;
  std::size_t at_ = 0;
};

}  // namespace

Response get_export(const Call& call) {
  if (auto known = call.target.arguments.only(search_arguments(), list_arguments()); !known)
    return problem(known.error());
  auto arguments = resolve_names(call.target.arguments, call.session.app);
  if (!arguments) return problem(arguments.error());
  auto asked = AskedSearch::from(*arguments, 1000, kMostExported);
  if (!asked) return problem(asked.error());
  const auto form = form_of(call, {Form::csv, Form::jsonl, Form::trec});
  if (!form) return problem(form.error());
  asked->with_views = false;
  if (asked->words_alone) {
    return problem(
        Error{"query-missing", "a list without a melody is not exported here", {}, "use /api/v1/search?format=csv"});
  }
  auto listed = perform(*asked, call.session);
  if (!listed) return problem(listed.error());
  if (!listed->answer.result.complete) {
    return problem(Error{"server-time",
                         "the search took too long to be exported whole",
                         {},
                         "choose fewer melodies or a faster system"});
  }
  constexpr std::array<std::string_view, 4> kEndings = {"json", "csv", "jsonl", "run"};
  Listing listing(*form, asked->request(), listed->answer.system->name);
  Response response = text_response(200, type_of(*form), listing.head());
  set_counts(listed->answer.result, response);
  response.set("Content-Disposition",
               "attachment; filename=\"rondo." + std::string(kEndings[static_cast<std::size_t>(*form)]) + "\"");
  auto rest = std::make_shared<Export>(std::move(listing), asked->request().offset, std::move(listed->places));
  response.stream = [rest](Session& session) { return rest->next(session); };
  return response;
}

}  // namespace rondo::server
