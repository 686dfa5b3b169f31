#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "search/fast/workers.h"

namespace rondo::fast {

/// Notes (or structures) of a document; the few longer ones are scored one by one, because they would waste
/// lanes.
inline constexpr std::size_t kLongestInLanes = 2000;

/// One way to find the best documents: it must offer every document that can reach the threshold, in whatever order
/// raises the threshold soonest.
class Method {
 public:
  virtual ~Method() = default;
  Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  /// Comes first, with all views, for methods whose scores depend on every document that takes part.
  virtual void survey(std::span<const SegmentView> /*views*/, Workers& /*workers*/) {}
  virtual void run(const SegmentView& view, Workers& workers) const = 0;
  /// Offers these few documents of the view, which take part, in ascending order. As it is here, one by one.
  virtual void offer_few(const SegmentView& view, std::span<const DocumentId> documents, TopK& top_k) const {
    for (const DocumentId d : documents) top_k.offer(view, d);
  }
};

/// What a method is made for.
struct Task {
  const Line& query;
  std::size_t shortest = 1;   ///< notes a document needs to be ranked
  bool zero_is_none = false;  ///< documents that score 0 are not ranked
};

/// A method for a plan, null where the query is not one that it can do (too short, too long, times off the grid):
/// then every document is scored. To add one: one struct in rondo/similarity/plan.h, one file with one of these, its
/// name in method.cpp.
std::unique_ptr<Method> make_method(const ExhaustivePlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const WindowPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const EditPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const PitchEditPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const SharedIntervalsPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const GeometricPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const TransportPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const GarPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const GamPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const PioiPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const Opti3Plan& plan, const Task& task);
std::unique_ptr<Method> make_method(const KranenburgPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const MongeauSankoffPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const OrioPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const PatternPlan& plan, const Task& task);
std::unique_ptr<Method> make_method(const RondoPlan& plan, const Task& task);

struct ChosenMethod {
  std::string_view name;
  std::unique_ptr<Method> method;
};
/// Scores every document.
[[nodiscard]] ChosenMethod exhaustive_method(const SystemRow& row, const Line& query);
/// For Method::offer_few: the method for the plan where it compares few documents faster than one by one.
[[nodiscard]] ChosenMethod choose_method_for_few(const SystemRow& row, const System& system, const Line& query);
/// The method for the system's plan.
[[nodiscard]] ChosenMethod choose_method(const SystemRow& row, const System& system, const Line& query);

}  // namespace rondo::fast
