/* A minimal FMI 2.0 model for model exchange and co-simulation: the Van der Pol oscillator with an
   input, or, with -DDAHLQUIST, Dahlquist's test equation; -DDRIVEN adds sin(time), and with -DSTUCK
   a co-simulation does not start elsewhere. Variables are by value reference: state, its derivative,
   ..., parameter, input. */
#include <math.h>
#include <stdlib.h>

typedef struct { double time, x[2], parameter, input; int is_begun; } Model;
typedef struct { int more, end, nominals, values, timed; double next; } EventInfo;
typedef unsigned Ref;
enum { OK = 0, ERROR = 3 };

#ifdef DAHLQUIST
enum { STATES = 1 };
static void begin(Model *m) { m->x[0] = 1; m->parameter = 1; }
static void rates(const Model *m, double *d) { d[0] = -m->parameter * m->x[0]; }
#else
enum { STATES = 2 };
static void begin(Model *m) { m->x[0] = 2; m->x[1] = 0; m->parameter = 1; }
static void rates(const Model *m, double *d) {
    d[0] = m->x[1];
    d[1] = m->parameter * (1 - m->x[0] * m->x[0]) * m->x[1] - m->x[0] + m->input;
}
#endif

static void driven(const Model *m, double *d) {
    rates(m, d);
#ifdef DRIVEN
    d[STATES - 1] += sin(m->time);
#endif
}

void *fmi2Instantiate(const char *n, int type, const char *guid, const char *r, const void *f, int v,
                      int l) {
    Model *m = calloc(1, sizeof *m);
    if (m) begin(m);
    return m;
}
void fmi2FreeInstance(void *c) { free(c); }
int fmi2Reset(void *c) { Model *m = c; *m = (Model){0}; begin(m); return OK; }
int fmi2ExitInitializationMode(void *c) { ((Model *)c)->is_begun = 1; return OK; }
int fmi2SetTime(void *c, double time) { ((Model *)c)->time = time; return OK; }
int fmi2SetContinuousStates(void *c, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) ((Model *)c)->x[i] = x[i];
    return x[0] > 1e6 ? ERROR : OK;
}
int fmi2GetContinuousStates(void *c, double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = ((Model *)c)->x[i];
    return OK;
}
int fmi2GetDerivatives(void *c, double *d, size_t n) { driven(c, d); return OK; }
int fmi2SetReal(void *c, const Ref *ref, size_t n, const double *value) {
    Model *m = c;
    for (size_t i = 0; i < n; i++) {
        if (ref[i] == 2 * STATES && !m->is_begun) m->parameter = value[i];
        else if (ref[i] == 2 * STATES + 1) m->input = value[i];
#ifndef STUCK
        else if (ref[i] % 2 == 0 && ref[i] < 2 * STATES && !m->is_begun) m->x[ref[i] / 2] = value[i];
#endif
        else return ERROR; /* a fixed parameter is set before the start only */
    }
    return OK;
}
int fmi2GetReal(void *c, const Ref *ref, size_t n, double *value) {
    for (size_t i = 0; i < n; i++) value[i] = ((Model *)c)->x[ref[i] / 2];
    return OK;
}

/* One step of co-simulation: Runge-Kutta in parts of a thousandth. */
static void part(Model *m, double h) {
    double k[4][STATES], first[STATES], share[] = {0, h / 2, h / 2, h}, begin = m->time;
    for (int i = 0; i < STATES; i++) first[i] = m->x[i];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; stage && i < STATES; i++) m->x[i] = first[i] + share[stage] * k[stage - 1][i];
        m->time = begin + share[stage];
        driven(m, k[stage]);
    }
    for (int i = 0; i < STATES; i++)
        m->x[i] = first[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}
int fmi2DoStep(void *c, double now, double step, int cannot_return) {
    Model *m = c;
    if (step <= 0 || m->x[0] > 1e6) return ERROR;
    int parts = (int)ceil(step / 1e-3);
    m->time = now;
    for (int i = 0; i < parts; i++) part(m, step / parts);
    return OK;
}
int fmi2GetFMUstate(void *c, void **kept) {
    Model *copy = *kept = malloc(sizeof *copy);
    *copy = *(Model *)c;
    return OK;
}
int fmi2SetFMUstate(void *c, void *kept) { *(Model *)c = *(Model *)kept; return OK; }
int fmi2NewDiscreteStates(void *c, EventInfo *info) { *info = (EventInfo){0}; return OK; }

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
int fmi2SetupExperiment(void *c, int t, double tol, double start, int s, double stop) { return OK; }
#define DOES_NOTHING(name) int fmi2##name(void *c) { return OK; }
DOES_NOTHING(EnterInitializationMode)
DOES_NOTHING(EnterEventMode)
DOES_NOTHING(EnterContinuousTimeMode)
DOES_NOTHING(Terminate)
#define IS_MISSING(name) int fmi2##name(void *c) { return ERROR; }
IS_MISSING(SetDebugLogging) IS_MISSING(GetInteger) IS_MISSING(GetBoolean) IS_MISSING(GetString)
IS_MISSING(SetInteger) IS_MISSING(SetBoolean) IS_MISSING(SetString) IS_MISSING(FreeFMUstate)
IS_MISSING(CancelStep) IS_MISSING(GetStatus) IS_MISSING(GetRealStatus) IS_MISSING(GetIntegerStatus)
IS_MISSING(GetBooleanStatus) IS_MISSING(GetStringStatus) IS_MISSING(SetRealInputDerivatives)
IS_MISSING(GetRealOutputDerivatives) IS_MISSING(SerializedFMUstateSize)
IS_MISSING(SerializeFMUstate) IS_MISSING(DeSerializeFMUstate) IS_MISSING(GetDirectionalDerivative)
IS_MISSING(CompletedIntegratorStep) IS_MISSING(GetEventIndicators)
IS_MISSING(GetNominalsOfContinuousStates)
