#include "bench/data/weather.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

namespace {

using Day = std::array<double, 24>;

// One entry for each hour.
constexpr Day kTraffic = {.08, .05, .04, .04, .08, .22, .55, .90, 1.0, .75, .60, .58,
                          .60, .60, .62, .70, .85, 1.0, .95, .70, .48, .35, .25, .15};
constexpr Day kStagnation = {1.25, 1.30, 1.35, 1.40, 1.45, 1.50, 1.50, 1.40, 1.20, 1.00, .85,  .75,
                             .70,  .65,  .65,  .70,  .80,  .95,  1.10, 1.20, 1.25, 1.25, 1.25, 1.25};
constexpr Day kFactories = {.4, .4, .4, .4, .4, .6, .9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, .9, .8, .7, .6, .5, .4, .4};
constexpr Day kHeating = {.5, .4, .4, .4, .5, .7, .9, .9, .7, .6, .5, .5, .5, .5, .5, .6, .8, .9, 1, 1, 1, .9, .8, .6};
constexpr Day kWarmth = {-5, -5.5, -6,  -6.3, -6.5, -6.5, -6,  -4.5, -2.5, -.5,  1.5,  3.5,
                         5,  6,    6.5, 6.5,  6,    4.5,  2.5, .5,   -1,   -2.5, -3.5, -4.5};
constexpr Day kWindSpeed = {1.2, 1.1, 1.0, 1.0, 1.0, 1.1, 1.3, 1.6, 2.0, 2.4, 2.8, 3.1,
                            3.3, 3.4, 3.4, 3.3, 3.0, 2.6, 2.2, 1.9, 1.7, 1.5, 1.4, 1.3};

constexpr double kBackground = 20, kRoadSmoke = 34, kRoadReach = 700;  // µg/m³, µg/m³, m
constexpr double kPlumeHour = 17.5, kPlumePerHour = 0.16;              // over the middle then; sides of the city
constexpr double kPlumeAmount = 120, kPlumeReach = 0.2;                // µg/m³, sides of the city
constexpr int kPatches = 14;

double at_hour(const Day& day, double hour) {
  const double floor = std::floor(hour), part = hour - floor;
  const auto index = static_cast<std::size_t>(floor) % day.size();
  return (1 - part) * day[index] + part * day[(index + 1) % day.size()];
}

}  // namespace

double traffic_at(double hour) { return at_hour(kTraffic, hour); }
double stagnation_at(double hour) { return at_hour(kStagnation, hour); }

Air::Air(const City& city, RandomSource& random) : city_(city) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), length = std::sqrt(x * x + y * y + 1e-6);
  east_ = x / length;
  north_ = y / length;
  plume_aside_ = random.uniform(-0.15, 0.15);
  warmth_ = random.uniform(-4, 8);
  const auto side = static_cast<double>(city.side);
  for (int i = 0; i < kPatches; ++i) {
    const Spot centre = {random.below(city.side + 1), random.below(city.side + 1)};
    const double radius = random.uniform(0.08, 0.18) * side, amount = 22.5 * random.normal();
    patches_.push_back({centre, radius, amount, 2.5 * random.normal()});
  }
}

double Air::plume(const Spot& place, double hour) const {
  const auto side = static_cast<double>(city_.side);
  const double along = (hour - kPlumeHour) * kPlumePerHour;
  const double x = static_cast<double>(place.x) / side - 0.5 - along * east_ + plume_aside_ * north_;
  const double y = static_cast<double>(place.y) / side - 0.5 - along * north_ - plume_aside_ * east_;
  const double there = nearness(std::sqrt(x * x + y * y), kPlumeReach);
  return kPlumeAmount * there * there;
}

double Air::concentration(const Spot& place, double hour) const {
  double made = kBackground + kRoadSmoke * traffic_at(hour) * city_.near_road(place, kRoadReach, true);
  for (const District& district : city_.districts) {
    const double busy = at_hour(district.industrial ? kFactories : kHeating, hour);
    made += busy * district.strength * nearness(distance_between(place, district.centre), district.radius);
  }
  double air = stagnation_at(hour) * made + plume(place, hour);
  for (const Patch& patch : patches_) {
    air +=
        (patch.amount + patch.per_hour * (hour - 12)) * nearness(distance_between(place, patch.centre), patch.radius);
  }
  return std::max(air, 2.0);
}

double Air::temperature(double hour) const { return 12 + warmth_ + at_hour(kWarmth, hour); }
double Air::humidity(double hour) const { return 62 - 3 * at_hour(kWarmth, hour) - 0.5 * warmth_; }
double Air::wind_east(double hour) const { return at_hour(kWindSpeed, hour) * east_; }
double Air::wind_north(double hour) const { return at_hour(kWindSpeed, hour) * north_; }

}  // namespace tacit::gnn
