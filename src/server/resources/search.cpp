#include "server/search.h"

#include <fmt/format.h>

#include "server/listing.h"
#include "server/problem.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

void append_numbers(std::string& out, const std::vector<std::uint32_t>& numbers) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", numbers[i]);
  out += ']';
}

/// A hit as JSON. The card is ready-made text; only what belongs to this query is added.
void append_hit(std::string& out, const Listed& listed, std::size_t rank, const SearchAnswer& answer,
                const PreparedQuery& prepared) {
  const Card& card = *listed.card;
  const Line line = make_line(card.voice, answer.wanted.heard);
  const Matched matched = matched_notes(prepared.explain(line), answer.wanted.voice, answer.wanted.query_heard,
                                        card.voice, answer.wanted.heard);
  out += fmt::format(R"({{"rank":{},"score":{},{},"matched":{{"query":)", rank, json_text(listed.found.score.value),
                     card.members);
  append_numbers(out, matched.query);
  out += R"(,"document":)";
  append_numbers(out, matched.document);
  out += fmt::format(R"(}},"duplicates":{}}})", json_text(Json(listed.duplicates)));
}

Result<std::string> facets_text(const SearchRequest& request, const SearchAnswer& answer, Session& session) {
  const auto until = session.deadline();
  bool plain = !answer.selected;
  for (const auto& values : request.choices) plain = plain && values.empty();
  if (plain) {
    auto counts = session.edition->all_counts(session.collection, until);
    if (!counts) return fail(std::move(counts.error()));
    return **counts;
  }
  auto facets = session.edition->facets(session.collection, until);
  if (!facets) return fail(std::move(facets.error()));
  return json_text((*facets)->counts(request.choices, answer.selected));
}

Result<std::string> answer_text(const SearchRequest& request, const SearchAnswer& answer, Session& session) {
  const auto prepared = answer.system->system->prepare(answer.wanted.line);
  Json head = {{"query",
                {{"pae", pae_line(answer.wanted.voice)},
                 {"notes", notes_json(answer.wanted.voice)},
                 {"warnings", remarks_json(answer.wanted.query.remarks)}}},
               {"system", answer.system->name},
               {"milliseconds", answer.milliseconds},
               {"compared", answer.compared},
               {"not_compared", answer.not_compared},
               {"complete", answer.complete},
               {"total", answer.total},
               {"offset", request.offset}};
  std::string out = "{" + members_text(head) + R"(,"hits":[)";
  for (std::size_t i = 0; i < answer.places.size(); ++i) {
    if (i > 0) out += ',';
    append_hit(out, answer.places[i], request.offset + i + 1, answer, *prepared);
  }
  auto facets = facets_text(request, answer, session);
  if (!facets) return facets;
  out += fmt::format(R"(],"facets":{}}})", *facets);
  return out;
}

}  // namespace

Response get_search(const Call& call) {
  auto known = call.target.arguments.only(search_arguments());
  return known ? search_answer(call) : problem(known.error());
}

Response search_answer(const Call& call) {
  auto request = SearchRequest::from(call.target.arguments, 20, kMostHits);
  if (!request) return problem(request.error());
  const auto form = form_of(call, {Form::json, Form::csv, Form::trec});
  if (!form) return problem(form.error());
  auto answer = perform(*request, call.session);
  if (!answer) return problem(answer.error());
  Response response;
  if (*form == Form::json) {
    auto text = answer_text(*request, *answer, call.session);
    if (!text) return problem(text.error());
    response = text_response(200, "application/json", std::move(*text));
  } else {
    Listing listing(*form, *request, answer->system->name);
    std::string text = listing.head();
    for (std::size_t i = 0; i < answer->places.size(); ++i) {
      const Listed& listed = answer->places[i];
      text += listing.line({request->offset + i + 1, listed.found, listed.card->id, listed.card->metadata,
                            listed.card->pae, listed.duplicates});
    }
    response = text_response(200, type_of(*form), std::move(text));
  }
  // Another try may find more.
  if (!answer->complete) response.set("Cache-Control", "no-store");
  return response;
}

}  // namespace rondo::server
