// Times Pinocchio's articulated-body algorithm, and Runge-Kutta methods around it, without Python.
//
// Reads a tree, coordinates and speeds (see `pinocchio.py`), then lines of what to do:
//   time COUNT          -> seconds of COUNT evaluations
//   rk4 STEPS END       -> seconds, evaluations, coordinates after END seconds
//   dopri5 STEPS END    -> the same, with the fifth-order weights of Dormand and Prince

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using Eigen::VectorXd;

enum Kind { TURN, SLIDE, BALL, FREE };

struct System {
    pinocchio::Model model;
    pinocchio::Data data;
    std::vector<int> kind;
    VectorXd q, v, tau;
    long evaluations = 0;
};

struct Method {
    std::vector<std::vector<double>> a;
    std::vector<double> b;
};

const Method RK4{{{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

const Method DOPRI5{
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

static Eigen::Matrix3d read_matrix(std::istream& in) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 9; ++i) in >> m(i / 3, i % 3);
    return m;
}

static Eigen::Vector3d read_vector(std::istream& in) {
    Eigen::Vector3d x;
    in >> x[0] >> x[1] >> x[2];
    return x;
}

static System read_system(std::istream& in) {
    System s;
    int count;
    in >> count;
    s.model.gravity.linear() = read_vector(in);
    for (int i = 0; i < count; ++i) {
        int parent, kind;
        double mass;
        in >> parent >> kind;
        const Eigen::Matrix3d R = read_matrix(in);
        const pinocchio::SE3 place(R, read_vector(in));
        const Eigen::Vector3d axis = read_vector(in);
        in >> mass;
        const Eigen::Vector3d centre = read_vector(in);
        const Eigen::Matrix3d inertia = read_matrix(in);
        const std::string name = "b" + std::to_string(i);
        pinocchio::JointIndex joint = 0;
        if (kind == TURN)
            joint = s.model.addJoint(parent + 1, pinocchio::JointModelRevoluteUnaligned(axis), place, name);
        else if (kind == SLIDE)
            joint = s.model.addJoint(parent + 1, pinocchio::JointModelPrismaticUnaligned(axis), place, name);
        else if (kind == BALL)
            joint = s.model.addJoint(parent + 1, pinocchio::JointModelSpherical(), place, name);
        else
            joint = s.model.addJoint(parent + 1, pinocchio::JointModelFreeFlyer(), place, name);
        s.model.appendBodyToJoint(joint, pinocchio::Inertia(mass, centre, inertia));
        s.kind.push_back(kind);
    }
    s.data = pinocchio::Data(s.model);
    s.q.resize(s.model.nq);
    s.v.resize(s.model.nv);
    for (int i = 0; i < s.model.nq; ++i) in >> s.q[i];
    for (int i = 0; i < s.model.nv; ++i) in >> s.v[i];
    s.tau = VectorXd::Zero(s.model.nv);
    return s;
}

// Rates of coordinates as plain numbers; quaternions are x, y, z, w, velocities in body axes.
static void coordinate_rates(const System& s, const VectorXd& q, const VectorXd& v, VectorXd& out) {
    for (std::size_t i = 0; i < s.kind.size(); ++i) {
        int a = s.model.idx_qs[i + 1], b = s.model.idx_vs[i + 1];
        if (s.kind[i] < BALL) {
            out[a] = v[b];
            continue;
        }
        if (s.kind[i] == FREE) {
            const Eigen::Quaterniond turn(q[a + 6], q[a + 3], q[a + 4], q[a + 5]);
            out.segment<3>(a) = turn.toRotationMatrix() * v.segment<3>(b);
            a += 3, b += 3;
        }
        const double x = q[a], y = q[a + 1], z = q[a + 2], w = q[a + 3];
        const double p = 0.5 * v[b], r = 0.5 * v[b + 1], t = 0.5 * v[b + 2];
        out[a] = w * p + y * t - z * r;
        out[a + 1] = w * r + z * p - x * t;
        out[a + 2] = w * t + x * r - y * p;
        out[a + 3] = -x * p - y * r - z * t;
    }
}

static void normalise(const System& s, VectorXd& q) {
    for (std::size_t i = 0; i < s.kind.size(); ++i)
        if (s.kind[i] >= BALL) q.segment<4>(s.model.idx_qs[i + 1] + (s.kind[i] == FREE ? 3 : 0)).normalize();
}

static void run(System& s, const Method& method, long steps, double end, VectorXd& q, VectorXd& v) {
    const double h = end / steps;
    const std::size_t stages = method.b.size();
    std::vector<VectorXd> kq(stages, VectorXd::Zero(q.size())), kv(stages, VectorXd::Zero(v.size()));
    VectorXd qs = q, vs = v;
    for (long step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < stages; ++i) {
            qs = q;
            vs = v;
            for (std::size_t j = 0; j < i; ++j) {
                if (method.a[i][j] == 0.0) continue;
                qs += h * method.a[i][j] * kq[j];
                vs += h * method.a[i][j] * kv[j];
            }
            coordinate_rates(s, qs, vs, kq[i]);
            // the algorithm expects attitudes of length one
            normalise(s, qs);
            kv[i] = pinocchio::aba(s.model, s.data, qs, vs, s.tau);
            ++s.evaluations;
        }
        for (std::size_t i = 0; i < stages; ++i) {
            if (method.b[i] == 0.0) continue;
            q += h * method.b[i] * kq[i];
            v += h * method.b[i] * kv[i];
        }
        normalise(s, q);
    }
}

int main() {
    using Clock = std::chrono::steady_clock;
    System s = read_system(std::cin);
    std::string what;
    while (std::cin >> what) {
        long count;
        double end = 0.0;
        std::cin >> count;
        if (what != "time") std::cin >> end;
        VectorXd q = s.q, v = s.v;
        s.evaluations = 0;
        const auto start = Clock::now();
        double sum = 0.0;
        if (what == "time")
            for (long i = 0; i < count; ++i) sum += pinocchio::aba(s.model, s.data, q, v, s.tau)[0];
        else
            run(s, what == "rk4" ? RK4 : DOPRI5, count, end, q, v);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (what == "time") {
            std::printf("%.9e %.9e\n", seconds, sum);
            continue;
        }
        std::printf("%.9e %ld", seconds, s.evaluations);
        for (double x : q) std::printf(" %.17g", x);
        std::printf("\n");
    }
}
