#include "server/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/reading_json.h"
#include "search/matched_notes.h"
#include "server/listing.h"
#include "server/melody_links.h"
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

/// A hit as JSON. The view is cached text; only the members of this query are added.
void append_hit(std::string& out, const Listed& listed, std::size_t rank, const HeardQuery& query,
                const PreparedQuery& prepared) {
  const HitView& view = *listed.view;
  const Line line = make_line(view.voice, query.heard);
  const MatchedNotes matched =
      matched_notes(prepared.explain(line), query.voice, query.query_heard, view.voice, query.heard);
  const auto& probability = listed.found.probability;
  out +=
      fmt::format(R"({{"rank":{},"score":{},"probability":{},"likelihood":{},{},"matched":{{"query":)", rank,
                  json_text(listed.found.score.value), probability ? json_text(*probability) : "null",
                  probability ? json_text(std::string(to_string(likelihood_of(*probability)))) : "null", view.members);
  append_numbers(out, matched.query);
  out += R"(,"document":)";
  append_numbers(out, matched.document);
  out += fmt::format(R"(}},"duplicates":{}}})", json_text(Json(listed.duplicates)));
}

/// Counted over the pieces that resemble the query if known, else over those that pass the filters.
Result<std::string> facets_text(const AskedSearch& asked, const PieceChoice& counted, Session& session) {
  const auto until = session.deadline();
  bool plain = !counted;
  for (const auto& values : asked.choices) plain = plain && values.empty();
  if (plain) {
    auto counts = session.snapshot->all_counts(session.collection, until);
    if (!counts) return fail(std::move(counts.error()));
    return **counts;
  }
  auto facets = session.snapshot->facets(session.collection, until);
  if (!facets) return fail(std::move(facets.error()));
  return json_text((*facets)->counts(asked.choices, counted));
}

Json remarks_of(const AskedSearch& asked, const SearchAnswer& answer) {
  Diagnostics remarks = asked.melody.warnings;
  if (answer.query.cut) {
    remarks.push_back({"query-cut", fmt::format("only the first {} notes are searched for", kMostQueryNotes), {}, {}});
  }
  return remarks_json(remarks);
}

Json relevant_json(const std::optional<Relevant>& relevant) {
  if (!relevant) return nullptr;
  return {{"count", relevant->count}, {"cut", relevant->cut}, {"more", relevant->more}};
}

/// Results of a search by words only: hits without scores and without data of a melody query.
Result<std::string> words_text(const AskedSearch& asked, const WordsAnswer& found, Session& session) {
  Json head = {{"query", nullptr},
               {"system", nullptr},
               {"milliseconds", 0},
               {"compared", 0},
               {"not_reached", 0},
               {"too_short", 0},
               {"filtered_out", 0},
               {"complete", true},
               {"expanded", 0},
               {"total", found.total},
               {"relevant", nullptr},
               {"sort", to_string(asked.sort)},
               {"offset", asked.request().offset}};
  std::string out = json_text(head);
  out.pop_back();
  out += R"(,"hits":[)";
  for (std::size_t i = 0; i < found.places.size(); ++i) {
    out += fmt::format(R"({}{{"rank":{},"score":null,{},"matched":{{"query":[],"document":[]}},"duplicates":[]}})",
                       i == 0 ? "" : ",", asked.request().offset + i + 1, found.places[i].view->members);
  }
  auto facets = facets_text(asked, found.selected, session);
  if (!facets) return facets;
  out += fmt::format(R"(],"facets":{}}})", *facets);
  return out;
}

Result<std::string> answer_text(const AskedSearch& asked, const ListedAnswer& listed, Session& session) {
  const SearchAnswer& answer = listed.answer;
  const std::size_t offset = asked.request().offset;
  const auto prepared = answer.system->system->prepare(answer.query.line);
  Json head = {{"query",
                {{"pae", pae_line(answer.query.voice)},
                 {"notes", notes_json(answer.query.voice)},
                 {"link", asked.link.empty() ? Json(nullptr) : Json(asked.link)},
                 {"read", asked.melody.typed ? reading_json(*asked.melody.typed) : Json(nullptr)},
                 {"warnings", remarks_of(asked, answer)}}},
               {"system", answer.system->name},
               {"milliseconds", answer.milliseconds},
               {"compared", answer.result.compared},
               {"not_reached", answer.result.not_reached},
               {"too_short", answer.result.too_short},
               {"filtered_out", answer.result.filtered_out},
               {"complete", answer.result.complete},
               {"expanded", answer.expanded},
               {"total", answer.total},
               {"relevant", relevant_json(listed.relevant)},
               {"sort", to_string(asked.sort)},
               {"offset", offset}};
  std::string out = "{" + members_text(head) + R"(,"hits":[)";
  for (std::size_t i = 0; i < listed.places.size(); ++i) {
    if (i > 0) out += ',';
    append_hit(out, listed.places[i], offset + i + 1, answer.query, *prepared);
  }
  // If nothing resembles the query, the facets still help to browse, unless nothing was found at all.
  const bool narrowed =
      std::any_of(asked.choices.begin(), asked.choices.end(), [](const auto& c) { return !c.empty(); });
  const bool some = listed.relevant && (!listed.relevant->pieces.empty() || (answer.total == 0 && !narrowed));
  const PieceChoice counted = some ? PieceChoice(listed.relevant->pieces) : answer.selected;
  auto facets = facets_text(asked, counted, session);
  if (!facets) return facets;
  out += fmt::format(R"(],"facets":{}}})", *facets);
  return out;
}

Response words_response(const AskedSearch& asked, Form form, Session& session) {
  auto found = find_words(asked, session);
  if (!found) return problem(found.error());
  if (form == Form::json) {
    auto text = words_text(asked, *found, session);
    return text ? text_response(200, "application/json", std::move(*text)) : problem(text.error());
  }
  Listing listing(form, asked.request(), "words");
  std::string text = listing.head();
  for (std::size_t i = 0; i < found->places.size(); ++i) {
    const Listed& one = found->places[i];
    text += listing.line(
        {asked.request().offset + i + 1, one.found, one.view->id, one.view->metadata, one.view->pae, one.duplicates});
  }
  return text_response(200, type_of(form), std::move(text));
}

}  // namespace

Response get_search(const Call& call) {
  auto known = call.target.arguments.only(search_arguments(), list_arguments());
  return known ? search_answer(call) : problem(known.error());
}

/// The same with the parameters in the body, for melodies that are too long for a URL. The response has a key for a
/// link.
Response post_search(const Call& call) {
  auto arguments = arguments_of_body(call);
  if (!arguments) return problem(arguments.error());
  if (auto known = arguments->only(search_arguments(), list_arguments()); !known) return problem(known.error());
  Target target = call.target;
  target.arguments = std::move(*arguments);
  const Call whole{call.request, target, call.path_parameters, call.session, call.who};
  return search_answer(whole);
}

Response search_answer(const Call& call) {
  auto arguments = resolve_names(call.target.arguments, call.session.app);
  if (!arguments) return problem(arguments.error());
  auto asked = AskedSearch::from(*arguments, 20, kMostHits);
  if (!asked) return problem(asked.error());
  if (call.target.arguments.has("m")) {
    asked->link = call.target.arguments.text("m");
  } else if (call.request.method == "POST" && asked->melody.typed) {
    // Without a link the search is still answered.
    asked->link = call.session.app.links().keep(arguments->text("q")).value_or("");
  }
  const auto form = form_of(call, {Form::json, Form::csv, Form::trec});
  if (!form) return problem(form.error());
  if (asked->words_alone) return words_response(*asked, *form, call.session);
  auto listed = perform(*asked, call.session);
  if (!listed) return problem(listed.error());
  Response response;
  if (*form == Form::json) {
    auto text = answer_text(*asked, *listed, call.session);
    if (!text) return problem(text.error());
    response = text_response(200, "application/json", std::move(*text));
  } else {
    Listing listing(*form, asked->request(), listed->answer.system->name);
    std::string text = listing.head();
    for (std::size_t i = 0; i < listed->places.size(); ++i) {
      const Listed& one = listed->places[i];
      text += listing.line({asked->request().offset + i + 1, one.found, one.view->id, one.view->metadata, one.view->pae,
                            one.duplicates});
    }
    response = text_response(200, type_of(*form), std::move(text));
    set_counts(listed->answer.result, response);
  }
  // A retry may find more.
  if (!listed->answer.result.complete) response.set("Cache-Control", "no-store");
  return response;
}

}  // namespace rondo::server
