#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo {

/// The flow from one supply to one demand.
struct Shipment {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t amount = 0;
};

/// An exact solver of the transportation problem with integer supplies, demands and costs. Transports the total of the
/// smaller side at minimal cost; the surplus of the larger side stays, at no cost.
///
/// A network simplex on the complete bipartite graph and a root. A spanning tree of arcs connects all nodes; every
/// supply points to its parent, every demand is pointed at by its parent, so an arc is identified by its child. The
/// tree is kept strongly feasible (an arc without flow points towards the root), which excludes cycling even for
/// degenerate instances. Source: W. Cunningham: A network simplex method, 1976.
///
/// The same amounts may be solved with other costs (warm start): the last tree is still feasible and usually near the
/// new optimum, and the last prices give a lower bound in one pass over the costs.
class Transport {
 public:
  /// Maximal cost, and maximal number of nodes on a side, such that every sum fits 64 bits.
  static constexpr std::int64_t kHighestCost = std::int64_t{1} << 40;
  static constexpr std::size_t kMostNodes = std::size_t{1} << 16;

  /// Precondition: all amounts are positive, and neither side is empty. Discards earlier prices.
  void reset(std::span<const std::int64_t> supplies, std::span<const std::int64_t> demands);
  /// The costs, one row for each supply, to be filled in before `solve` or `lower_bound`: 0..kHighestCost each.
  [[nodiscard]] std::span<std::int64_t> costs() { return costs_; }

  /// A lower bound of the minimal total cost.
  [[nodiscard]] double lower_bound() const;
  /// Solves the problem; returns the minimal total cost, exact up to one rounding to double.
  double solve();
  /// The solution of `solve`; amounts add up to the smaller side's total.
  [[nodiscard]] std::vector<Shipment> shipments() const;

 private:
  using Node = std::uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  [[nodiscard]] bool is_supply(Node node) const { return node < rows_; }
  [[nodiscard]] Node root() const { return static_cast<Node>(rows_ + columns_); }
  [[nodiscard]] std::int64_t arc_cost(Node child, Node parent) const;
  void plant_star();
  void price(Node top);
  void attach(Node child, Node parent);
  void detach(Node child);
  [[nodiscard]] bool find_entering(Node& supply, Node& demand);
  [[nodiscard]] std::size_t best_in_row(std::size_t row) const;
  [[nodiscard]] std::size_t best_from_root() const;
  void pivot(Node supply, Node demand);
  void hang(Node child, Node parent, std::int64_t flow, Node stop);

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::int64_t root_from_supply_ = 0;  ///< cost of an arc from a supply to the root: 0, or prohibitive
  std::int64_t root_to_demand_ = 0;
  std::vector<std::int64_t> amounts_;  ///< of all nodes, supplies first
  std::vector<std::int64_t> costs_;
  std::vector<Node> parent_;
  std::vector<Node> first_child_;
  std::vector<Node> next_;  ///< among the children of one parent, both ways
  std::vector<Node> previous_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::int64_t> flow_;   ///< on the arc between a node and its parent
  std::vector<std::int64_t> price_;  ///< cost = price of supply + price of demand on every arc of the tree
  std::vector<Node> stack_;
  std::size_t next_row_ = 0;  ///< where the search for an entering arc continues
};

}  // namespace rondo
